// A small chart of a search: the cost of the best strategy and the bound, over time. The points are kept while the
// browser is open, so that the page of the result shows them, too.

import { make } from "./svg";

interface Point {
  at: number;
  value: number | undefined;
  bound: number | undefined;
}

const WIDTH = 320;
const HEIGHT = 130;
const LEFT = 44;
const BOTTOM = 22;
const MOST = 500;

export class Chart {
  private readonly key: string;
  private readonly points: Point[];
  private readonly figure: HTMLElement | null;

  constructor(box: HTMLElement) {
    this.key = `search-${box.dataset["chart"] ?? ""}`;
    this.figure = box.querySelector("[data-plot]");
    this.points = JSON.parse(sessionStorage.getItem(this.key) ?? "[]");
    this.draw();
  }

  add(point: Point): void {
    if (point.value === undefined && point.bound === undefined) return;
    this.points.push(point);
    // Every other point is enough where there are many.
    if (this.points.length > MOST) this.points.splice(0, this.points.length, ...this.points.filter((_, at) => at % 2 === 0));
    try {
      sessionStorage.setItem(this.key, JSON.stringify(this.points));
    } catch {
      // There is no room: the chart ends with the page.
    }
    this.draw();
  }

  private draw(): void {
    if (!this.figure || this.points.length < 2) return;
    const numbers = this.points.flatMap(({ value, bound }) => [value, bound]).filter((one) => one !== undefined);
    const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
    const end = Math.max(...this.points.map(({ at }) => at), 1);
    const x = (at: number): number => LEFT + ((WIDTH - LEFT - 8) * at) / end;
    const y = (value: number): number => 10 + ((HEIGHT - BOTTOM - 10) * (high - value)) / Math.max(high - low, 1e-9);
    const line = (name: "value" | "bound"): SVGElement => {
      let path = "";
      for (const point of this.points) {
        const value = point[name];
        if (value === undefined) continue;
        // A value holds until the next one.
        path += path === "" ? `M${x(point.at)} ${y(value)}` : `H${x(point.at)}V${y(value)}`;
      }
      return make("path", { class: name, d: path === "" ? "" : `${path}H${x(end)}` });
    };
    const text = (x: number, y: number, words: string, anchor: string): SVGElement =>
      make("text", { x, y, "text-anchor": anchor }, words);
    const round = (value: number): string => String(Math.round(value * 1000) / 1000);
    const seconds = `${(end / 1000).toFixed(end < 10_000 ? 1 : 0)} s`;
    const svg = make(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Cost of the best strategy and the bound over ${seconds}` },
      make("path", { class: "axis", d: `M${LEFT} 6V${HEIGHT - BOTTOM}H${WIDTH - 8}` }),
      line("bound"),
      line("value"),
      text(LEFT - 4, y(high) + 4, round(high), "end"),
      text(LEFT - 4, y(low) + 2, round(low), "end"),
      text(LEFT, HEIGHT - 6, "0 s", "start"),
      text(WIDTH - 8, HEIGHT - 6, seconds, "end"),
    );
    const legend = document.createElement("figcaption");
    for (const [name, words] of [["value", "best so far"], ["bound", "best possible: at least"]] as const) {
      const sample = make("svg", { viewBox: "0 0 24 8", width: 24, height: 8, "aria-hidden": "true" }, make("path", { class: name, d: "M0 4H24" }));
      const part = document.createElement("span");
      part.append(sample, ` ${words}`);
      legend.append(part);
    }
    this.figure.replaceChildren(svg, legend);
  }
}
