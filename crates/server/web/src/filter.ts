// A box that leaves only those lines of a list in which all its words occur.

export function filter(box: HTMLElement): void {
  const input = box as HTMLInputElement;
  const list = document.getElementById(input.dataset["filter"] ?? "");
  const status = document.querySelector("[data-filtered]");
  const lines = [...(list?.querySelectorAll<HTMLElement>("li") ?? [])];
  const texts = lines.map((line) => (line.textContent ?? "").toLowerCase());
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    lines.forEach((line, at) => {
      line.hidden = !words.every((word) => texts[at]?.includes(word));
      if (!line.hidden) shown += 1;
    });
    if (status) status.textContent = words.length === 0 ? "" : `${shown} of ${lines.length} shown`;
  });
}
