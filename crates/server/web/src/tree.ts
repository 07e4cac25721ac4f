// A strategy's tree in two equal forms, both made of the outline that the server wrote: an ARIA tree for keys and
// screen readers, and a picture to zoom, pan, fold and search. What is folded in one is folded in the other.

import { becomeTree } from "./outline";
import { Picture } from "./picture";

export interface Item {
  line: HTMLElement;
  text: string;
  answer: string;
  share: string;
  about: string;
  weight: number;
  isLeaf: boolean;
  isTraced: boolean;
  folded: boolean;
  found: boolean;
  parent: Item | undefined;
  children: Item[];
  element: HTMLElement;
}

function read(element: HTMLElement, parent: Item | undefined): Item {
  const details = element.querySelector<HTMLDetailsElement>(":scope > details");
  const line = element.querySelector<HTMLElement>(":scope > .line, :scope > details > .line");
  const part = (name: string): string => line?.querySelector(`:scope > .${name}`)?.textContent ?? "";
  const item: Item = {
    line: line ?? element,
    text: part("text"),
    answer: part("answer"),
    share: part("share"),
    about: part("objects"),
    weight: Number(element.dataset["weight"] ?? 0),
    isLeaf: "leaf" in element.dataset,
    isTraced: element.classList.contains("traced"),
    folded: details !== null && !details.open,
    found: false,
    parent,
    children: [],
    element,
  };
  const below = element.querySelectorAll<HTMLElement>(":scope > details > ul > li");
  item.children = [...below].map((child) => read(child, item));
  return item;
}

export function walk(item: Item, visit: (item: Item) => void): void {
  const left = [item];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    visit(next);
    for (let at = next.children.length - 1; at >= 0; at -= 1) left.push(next.children[at]!);
  }
}

export function view(outline: HTMLElement): void {
  const first = outline.querySelector<HTMLElement>(":scope > li");
  const box = document.getElementById("viewer");
  if (!first || !box) return;
  const root = read(first, undefined);
  const redraw = (): void => picture.draw();
  const tree = becomeTree(outline, root, redraw);
  const picture = new Picture(box, root, tree.fold);
}
