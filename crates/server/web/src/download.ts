// A picture of a page as a file: SVG, or PNG drawn from it.

import { make } from "./svg";

export interface Extent {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Properties that the sheet of the page sets, and that the file needs as attributes. */
const COPIED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity", "font-size", "font-family", "paint-order"];
/** Most pixels of a PNG along one side, and in all: browsers draw no more. */
const SIDE = 8192;
const PIXELS = 32_000_000;

/** The picture by itself, all of it, with the colours of the page. */
function standalone(svg: SVGSVGElement, extent: Extent): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [from, to] = [svg.querySelectorAll("*"), copy.querySelectorAll("*")];
  from.forEach((element, at) => {
    const style = getComputedStyle(element);
    for (const name of COPIED) to[at]?.setAttribute(name, style.getPropertyValue(name));
  });
  const { x, y, width, height } = extent;
  for (const name of ["class", "tabindex", "role"]) copy.removeAttribute(name);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  copy.setAttribute("width", String(Math.ceil(width)));
  copy.setAttribute("height", String(Math.ceil(height)));
  const paper = getComputedStyle(svg.parentElement ?? svg).backgroundColor;
  copy.prepend(make("rect", { x, y, width, height, fill: paper }));
  return copy;
}

function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function text(svg: SVGSVGElement, extent: Extent): string {
  return new XMLSerializer().serializeToString(standalone(svg, extent));
}

export function saveSvg(svg: SVGSVGElement, extent: Extent, name: string): void {
  save(new Blob([text(svg, extent)], { type: "image/svg+xml" }), `${name}.svg`);
}

export async function savePng(svg: SVGSVGElement, extent: Extent, name: string): Promise<void> {
  const { width, height } = extent;
  const scale = Math.min(2, SIDE / width, SIDE / height, Math.sqrt(PIXELS / (width * height)));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text(svg, extent))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.floor(width * scale));
  canvas.height = Math.max(1, Math.floor(height * scale));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((content) => content && save(content, `${name}.png`), "image/png");
}
