// Print, and copy a link.

export function printButton(button: HTMLElement): void {
  button.addEventListener("click", () => print());
}

export function copyButton(button: HTMLElement): void {
  const link = document.getElementById(button.dataset["copy"] ?? "") as HTMLAnchorElement | null;
  const status = document.querySelector("[data-copied]");
  button.addEventListener("click", async () => {
    if (!link) return;
    try {
      await navigator.clipboard.writeText(link.href);
      if (status) status.textContent = "Copied.";
    } catch {
      // Not allowed here, such as without encryption: then by hand.
      if (status) status.textContent = link.href;
    }
  });
}
