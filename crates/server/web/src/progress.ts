// A search under way: its figures as they come, and the page anew once it is over.

import { Chart } from "./chart";

interface Standing {
  state: string;
  algorithm?: string;
  value?: number | string;
  bound?: number | string;
  gap?: number | string;
  sets: number;
  elapsed_ms: number;
}

function text(value: number | string | undefined, down = false): string {
  if (value === undefined) return "–";
  if (typeof value === "string") return "∞";
  // A bound is rounded down: what is shown is still a bound.
  const round = down ? Math.floor(value * 1e4 * (1 + 1e-12)) / 1e4 : Math.round(value * 1e4) / 1e4;
  return String(round);
}

function percent(gap: number | string | undefined): string {
  if (typeof gap !== "number") return "–";
  const share = gap * 100;
  return share === 0 ? "0 %" : share < 0.1 ? "< 0.1 %" : `${share.toFixed(share < 9.95 ? 1 : 0)} %`;
}

function show(box: HTMLElement, name: string, words: string): void {
  const place = box.querySelector(`[data-show="${name}"]`);
  if (place && place.textContent !== words) place.textContent = words;
}

function update(box: HTMLElement, standing: Standing): void {
  show(box, "state", standing.state);
  show(box, "algorithm", standing.algorithm ?? "");
  show(box, "value", text(standing.value));
  show(box, "bound", text(standing.bound, true));
  show(box, "gap", percent(standing.gap));
  const { value, bound } = standing;
  if (typeof value === "number" && typeof bound === "number" && value > 0) {
    const share = Math.min(Math.max(bound / value, 0), 1) * 100;
    box.querySelector(".fill")?.setAttribute("width", share.toFixed(1));
  }
}

export function followEvents(box: HTMLElement): void {
  const source = new EventSource(box.dataset["events"] ?? "");
  const chart = new Chart(box);
  const number = (value: number | string | undefined): number | undefined => (typeof value === "number" ? value : undefined);
  source.addEventListener("progress", (event) => {
    const standing: Standing = JSON.parse(event.data);
    update(box, standing);
    chart.add({ at: standing.elapsed_ms, value: number(standing.value), bound: number(standing.bound) });
  });
  source.addEventListener("end", () => {
    source.close();
    show(box, "status", "Done.");
    location.reload();
  });
}

export function poll(box: HTMLElement): void {
  const look = async (): Promise<void> => {
    try {
      const job = await (await fetch(box.dataset["poll"] ?? "")).json();
      if (!["queued", "running"].includes(job.standing.state)) return location.reload();
    } catch {
      // The server may be restarting; the next look tells.
    }
    setTimeout(look, 500);
  };
  void look();
}
