// A search form that shows what it finds while one types. Without scripts, its button does the same.

const PAUSE_MS = 200;

/** Replaces the list that the form names by the one of the page that the form leads to. */
export function live(form: HTMLElement): void {
  const list = document.getElementById(form.dataset["live"] ?? "");
  if (!(form instanceof HTMLFormElement) || !list) return;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;
  const look = async (): Promise<void> => {
    const mine = (latest += 1);
    const query = new URLSearchParams();
    new FormData(form).forEach((value, name) => query.append(name, String(value)));
    const place = new URL(form.action);
    place.search = query.toString();
    try {
      const text = await (await fetch(place, { headers: { accept: "text/html" } })).text();
      // A later search has begun.
      if (mine !== latest) return;
      const found = new DOMParser().parseFromString(text, "text/html").getElementById(list.id);
      if (found) list.replaceChildren(...found.childNodes);
    } catch {
      // The button still works.
    }
  };
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void look(), PAUSE_MS);
  });
}
