// The outline as an ARIA tree: one stop for the tab key, arrows to move, fold and unfold.

import { type Item, walk } from "./tree";

export interface Outline {
  fold(item: Item, folded: boolean): void;
}

/** Puts lists where details were, with the roles of a tree. */
function rebuild(item: Item): void {
  const { element, line } = item;
  const text = document.createElement("span");
  text.className = "line";
  text.id = `line-${element.dataset["node"]}`;
  text.append(...line.childNodes);
  const list = element.querySelector(":scope > details > ul");
  element.replaceChildren(text, ...(list ? [list] : []));
  element.setAttribute("role", "none");
  text.setAttribute("role", "treeitem");
  text.tabIndex = -1;
  item.line = text;
  if (list) {
    list.setAttribute("role", "group");
    list.id = `below-${element.dataset["node"]}`;
    text.setAttribute("aria-owns", list.id);
    text.setAttribute("aria-expanded", String(!item.folded));
  }
}

export function becomeTree(outline: HTMLElement, root: Item, changed: () => void): Outline {
  const of = new Map<HTMLElement, Item>();
  walk(root, (item) => {
    rebuild(item);
    of.set(item.line, item);
  });
  outline.setAttribute("role", "tree");
  root.line.tabIndex = 0;
  let current = root;

  const fold = (item: Item, folded: boolean): void => {
    if (item.children.length === 0) return;
    item.folded = folded;
    item.line.setAttribute("aria-expanded", String(!folded));
    changed();
  };
  const go = (item: Item | undefined): void => {
    if (!item) return;
    current.line.tabIndex = -1;
    current = item;
    item.line.tabIndex = 0;
    item.line.focus();
  };
  const visible = (): Item[] => {
    const all: Item[] = [];
    const left = [root];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      all.push(next);
      if (!next.folded) left.push(...[...next.children].reverse());
    }
    return all;
  };
  const step = (by: number): void => {
    const all = visible();
    go(all[Math.min(Math.max(all.indexOf(current) + by, 0), all.length - 1)]);
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Home: () => go(root),
    End: () => go(visible().at(-1)),
    ArrowRight: () => (current.folded ? fold(current, false) : go(current.children[0])),
    ArrowLeft: () => (current.children.length > 0 && !current.folded ? fold(current, true) : go(current.parent)),
    Enter: () => {
      const link = current.line.querySelector("a");
      if (link) link.click();
      else fold(current, !current.folded);
    },
    " ": () => fold(current, !current.folded),
  };
  outline.addEventListener("keydown", (event) => {
    const work = keys[event.key];
    if (!work || event.ctrlKey || event.metaKey || event.altKey || !of.has(event.target as HTMLElement)) return;
    event.preventDefault();
    work();
  });
  outline.addEventListener("click", (event) => {
    const element = (event.target as HTMLElement).closest<HTMLElement>("[role=treeitem]");
    const item = element && of.get(element);
    if (!item || (event.target as HTMLElement).closest("a")) return;
    go(item);
    fold(item, !item.folded);
  });
  return { fold };
}
