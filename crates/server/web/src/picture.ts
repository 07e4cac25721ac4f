// The tree as a picture, from left to right; the thicker a line, the likelier the way.

import { type Extent, savePng, saveSvg } from "./download";
import { make } from "./svg";
import { type Item, walk } from "./tree";

const ROW = 46;
const GAP = 96;
const HIGH = 34;
const LETTER = 8.2;
const LETTERS = 26;
/** Zoom at which texts are easy to read. */
const READABLE = 0.95;

interface Place {
  x: number;
  y: number;
  width: number;
}

function cut(text: string): string {
  return text.length > LETTERS ? `${text.slice(0, LETTERS - 1)}…` : text;
}

/** Where each item stands: a row for each leaf that is seen, a column for each question on the way. */
function layout(root: Item): Map<Item, Place> {
  const widths: number[] = [];
  const depth = new Map<Item, number>([[root, 0]]);
  const order: Item[] = [];
  const left = [root];
  for (let item = left.pop(); item !== undefined; item = left.pop()) {
    order.push(item);
    const level = depth.get(item) ?? 0;
    const letters = Math.max(cut(item.text).length, item.share.length + 2);
    widths[level] = Math.max(widths[level] ?? 0, letters * LETTER + 20);
    if (item.folded) continue;
    for (const child of [...item.children].reverse()) {
      depth.set(child, level + 1);
      left.push(child);
    }
  }
  const columns = widths.map((_, level) => widths.slice(0, level).reduce((sum, width) => sum + width + GAP, 0));
  const places = new Map<Item, Place>();
  let rows = 0;
  for (const item of order) {
    const level = depth.get(item) ?? 0;
    places.set(item, { x: columns[level] ?? 0, y: 0, width: widths[level] ?? 0 });
    if (item.folded || item.children.length === 0) places.get(item)!.y = ROW * rows++;
  }
  for (const item of order.reverse()) {
    if (item.folded || item.children.length === 0) continue;
    const ys = item.children.map((child) => places.get(child)!.y);
    places.get(item)!.y = (ys[0]! + ys.at(-1)!) / 2;
  }
  return places;
}

export class Picture {
  private readonly svg = make("svg", { role: "img", tabindex: 0, "aria-label": "Picture of the outline below. Arrow keys move it, plus and minus zoom." });
  private readonly status = document.createElement("span");
  private view = { x: 0, y: 0, zoom: 1 };
  private places = new Map<Item, Place>();
  private found: Item[] = [];
  private at = -1;

  constructor(
    private readonly box: HTMLElement,
    private readonly root: Item,
    private readonly fold: (item: Item, folded: boolean) => void,
  ) {
    this.status.setAttribute("role", "status");
    this.status.className = "quiet small";
    box.append(this.tools(), this.svg);
    this.draw();
    this.begin();
    this.drag();
    this.keys();
    this.follow();
    box.addEventListener("fullscreenchange", () => this.begin());
  }

  private tools(): HTMLElement {
    const tools = document.createElement("div");
    tools.className = "tools";
    const button = (label: string, name: string, work: () => void): HTMLButtonElement => {
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = label;
      if (name !== label) made.setAttribute("aria-label", name);
      made.addEventListener("click", work);
      return made;
    };
    const find = document.createElement("input");
    find.type = "search";
    find.placeholder = "Find";
    find.setAttribute("aria-label", "Find in the tree");
    find.addEventListener("input", () => this.find(find.value));
    find.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.next();
    });
    const buttons = document.createElement("div");
    buttons.append(
      button("−", "Zoom out", () => this.zoom(1 / 1.3)),
      button("+", "Zoom in", () => this.zoom(1.3)),
      button("Fit", "Fit", () => this.fit()),
      button("Level −", "Level − (fold one level)", () => this.level(true)),
      button("Level +", "Level + (unfold one level)", () => this.level(false)),
      button("Fold", "Fold all", () => this.foldAll(true)),
      button("Unfold", "Unfold all", () => this.foldAll(false)),
      button("Full screen", "Full screen", () => void this.fullScreen()),
      button("SVG", "SVG (save the picture)", () => saveSvg(this.svg, this.whole(), this.name())),
      button("PNG", "PNG (save the picture)", () => void savePng(this.svg, this.whole(), this.name())),
    );
    tools.append(find, this.status, buttons);
    return tools;
  }

  /** Folds the deepest level that is unfolded, or unfolds the first one that is folded. */
  private level(folded: boolean): void {
    const levels = new Map<number, Item[]>();
    const left: [Item, number][] = [[this.root, 0]];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [item, depth] = next;
      if (item.children.length === 0) continue;
      if (item.folded !== folded) levels.set(depth, [...(levels.get(depth) ?? []), item]);
      if (!item.folded) item.children.forEach((child) => left.push([child, depth + 1]));
    }
    const depths = [...levels.keys()];
    const depth = folded ? Math.max(...depths) : Math.min(...depths);
    for (const item of levels.get(depth) ?? []) {
      item.folded = folded;
      item.line.setAttribute("aria-expanded", String(!folded));
    }
    this.draw();
    this.begin();
  }

  private async fullScreen(): Promise<void> {
    if (document.fullscreenElement) return document.exitFullscreen();
    try {
      await this.box.requestFullscreen();
    } catch {
      this.status.textContent = "This browser has no full screen.";
    }
  }

  /** The whole picture, with an edge around it. */
  private whole(): Extent {
    const { width, top, height } = this.extent();
    return { x: -12, y: top - 12, width: width + 24, height: height + 24 };
  }

  private name(): string {
    return (this.box.dataset["name"] ?? "tree").replace(/\.[a-z]+$/i, "").replace(/[^\p{L}\p{N}_-]+/gu, "-") || "tree";
  }

  private foldAll(folded: boolean): void {
    walk(this.root, (item) => {
      if (item.children.length > 0 && (item !== this.root || !folded)) item.folded = folded;
      if (item.children.length > 0) item.line.setAttribute("aria-expanded", String(!item.folded));
    });
    this.draw();
    this.fit();
  }

  draw(): void {
    this.places = layout(this.root);
    const edges: Node[] = [];
    const nodes: Node[] = [];
    for (const [item, place] of this.places) {
      const from = item.parent && this.places.get(item.parent);
      if (from) edges.push(...this.edge(item, from, place));
      nodes.push(this.node(item, place));
    }
    this.svg.replaceChildren(...edges, ...nodes);
  }

  private edge(item: Item, from: Place, to: Place): Node[] {
    const start = from.x + from.width;
    const middle = (start + to.x) / 2;
    const traced = item.isTraced ? " traced" : "";
    const share = item.weight / Math.max(this.root.weight, 1e-12);
    return [
      make("path", {
        class: `edge${traced}`,
        d: `M${start} ${from.y} C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`,
        "stroke-width": (1.5 + 14 * share).toFixed(1),
      }),
      make("text", { class: "label", x: to.x - 8, y: to.y - 4, "text-anchor": "end" }, item.answer.slice(0, 12)),
    ];
  }

  private node(item: Item, place: Place): Node {
    const kinds = [
      "node",
      item.isLeaf ? "leaf" : "",
      item.folded ? "folded" : "",
      item.isTraced ? "traced" : "",
      item.found ? "found" : "",
    ];
    const share = item.folded ? `${item.share} · folded` : item.share;
    const group = make(
      "g",
      { class: kinds.filter(Boolean).join(" ") },
      make("title", {}, [item.answer, item.text, item.share, item.about].filter(Boolean).join(" · ")),
      make("rect", { x: place.x, y: place.y - HIGH / 2, width: place.width, height: HIGH, rx: 7 }),
      make("text", { x: place.x + 10, y: place.y - 2 }, cut(item.text)),
      make("text", { class: "sub", x: place.x + 10, y: place.y + 12 }, share),
    );
    if (item.children.length > 0) {
      group.addEventListener("click", () => {
        if (!this.moved) this.fold(item, !item.folded);
      });
    }
    return group;
  }

  private size(): { width: number; height: number } {
    const { width, height } = this.svg.getBoundingClientRect();
    return { width: Math.max(width, 1), height: Math.max(height, 1) };
  }

  /** The view follows the size of the picture; a picture that was hidden (as on paper) begins when it is seen. */
  private follow(): void {
    let hidden = this.isHidden();
    new ResizeObserver(() => {
      const was = hidden;
      hidden = this.isHidden();
      if (hidden) return;
      if (was) this.begin();
      else this.apply();
    }).observe(this.svg);
  }

  private isHidden(): boolean {
    const { width, height } = this.svg.getBoundingClientRect();
    return width === 0 || height === 0;
  }

  private extent(): { width: number; top: number; height: number } {
    let [width, top, bottom] = [1, 0, 0];
    for (const place of this.places.values()) {
      width = Math.max(width, place.x + place.width);
      top = Math.min(top, place.y - HIGH);
      bottom = Math.max(bottom, place.y + HIGH);
    }
    return { width, top, height: bottom - top };
  }

  private apply(): void {
    const { width, height } = this.size();
    const { x, y, zoom } = this.view;
    this.svg.setAttribute("viewBox", `${x} ${y} ${width / zoom} ${height / zoom}`);
  }

  /** All of it. */
  private fit(): void {
    const { width, height } = this.size();
    const extent = this.extent();
    const zoom = Math.min(Math.max(width - 24, 1) / extent.width, Math.max(height - 8, 1) / extent.height, 1.4);
    const x = extent.width / 2 - width / zoom / 2;
    const y = extent.top + extent.height / 2 - height / zoom / 2;
    this.view = { x, y, zoom };
    this.apply();
  }

  /** All of it, if it can be read then; else the end of the marked path, or the root, large enough to read. */
  private begin(): void {
    this.fit();
    let end: Item | undefined = this.root.isTraced ? this.root : undefined;
    for (let next = end; next; next = next.folded ? undefined : next.children.find((child) => child.isTraced)) end = next;
    if (this.view.zoom >= 0.62) return;
    if (end && end !== this.root) return this.centre(end);
    this.view.zoom = 0.85;
    const { height } = this.size();
    this.view.x = -12;
    this.view.y = (this.places.get(this.root)?.y ?? 0) - height / this.view.zoom / 2;
    this.apply();
  }

  /** Puts an item in the middle, large enough to read. */
  private centre(item: Item): void {
    const place = this.places.get(item);
    if (!place) return;
    const { width, height } = this.size();
    this.view.zoom = Math.min(Math.max(this.view.zoom, READABLE), 3);
    this.view.x = place.x + place.width / 2 - width / this.view.zoom / 2;
    this.view.y = place.y - height / this.view.zoom / 2;
    this.apply();
  }

  private zoom(by: number, place?: { x: number; y: number }): void {
    const { width, height } = this.size();
    const fixed = place ?? { x: width / 2, y: height / 2 };
    const zoom = Math.min(Math.max(this.view.zoom * by, 0.02), 8);
    this.view.x += fixed.x / this.view.zoom - fixed.x / zoom;
    this.view.y += fixed.y / this.view.zoom - fixed.y / zoom;
    this.view.zoom = zoom;
    this.apply();
  }

  private pan(x: number, y: number): void {
    this.view.x += x / this.view.zoom;
    this.view.y += y / this.view.zoom;
    this.apply();
  }

  private moved = false;

  /** One pointer moves the picture, two zoom it. */
  private drag(): void {
    const pointers = new Map<number, { x: number; y: number }>();
    const at = (event: MouseEvent): { x: number; y: number } => {
      const box = this.svg.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    const apart = (): number => {
      const [one, two] = [...pointers.values()];
      return one && two ? Math.hypot(one.x - two.x, one.y - two.y) : 0;
    };
    this.svg.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, at(event));
      this.moved = false;
    });
    this.svg.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const now = at(event);
      const was = apart();
      pointers.set(event.pointerId, now);
      if (pointers.size === 2 && was > 0) this.zoom(apart() / was, now);
      else this.pan(before.x - now.x, before.y - now.y);
      if (Math.hypot(now.x - before.x, now.y - before.y) > 2) this.moved = true;
    });
    for (const name of ["pointerup", "pointercancel", "pointerleave"] as const) {
      this.svg.addEventListener(name, (event) => pointers.delete(event.pointerId));
    }
    this.svg.addEventListener(
      "wheel",
      (event) => {
        // The wheel alone scrolls the page, as everywhere.
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.zoom(Math.exp(-event.deltaY / 300), at(event));
      },
      { passive: false },
    );
  }

  private keys(): void {
    const keys: Record<string, () => void> = {
      ArrowLeft: () => this.pan(-60, 0),
      ArrowRight: () => this.pan(60, 0),
      ArrowUp: () => this.pan(0, -60),
      ArrowDown: () => this.pan(0, 60),
      "+": () => this.zoom(1.3),
      "-": () => this.zoom(1 / 1.3),
      "0": () => this.fit(),
    };
    this.svg.addEventListener("keydown", (event) => {
      const work = keys[event.key];
      if (!work || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      work();
    });
  }

  private find(text: string): void {
    const wanted = text.trim().toLowerCase();
    this.found = [];
    this.at = -1;
    walk(this.root, (item) => {
      const all = `${item.text} ${item.about}`.toLowerCase();
      item.found = wanted !== "" && all.includes(wanted);
      item.element.classList.toggle("found", item.found);
      if (item.found) this.found.push(item);
    });
    this.status.textContent = wanted === "" ? "" : `${this.found.length} found`;
    if (this.found.length > 0) this.next();
    else this.draw();
  }

  /** Leads to the next item found, unfolding the way to it. */
  private next(): void {
    if (this.found.length === 0) return;
    this.at = (this.at + 1) % this.found.length;
    const item = this.found[this.at]!;
    for (let above = item.parent; above; above = above.parent) {
      if (above.folded) this.fold(above, false);
    }
    this.draw();
    this.centre(item);
    this.status.textContent = `${this.at + 1} of ${this.found.length}`;
  }
}
