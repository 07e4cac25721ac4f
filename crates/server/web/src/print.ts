// What is folded on the screen is printed.

export function unfoldForPrint(): void {
  const opened: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>("details:not([open])")) {
      details.open = true;
      opened.push(details);
    }
  });
  addEventListener("afterprint", () => {
    opened.splice(0).forEach((details) => (details.open = false));
  });
}
