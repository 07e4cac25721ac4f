// What pages can do beyond links and forms. Every page works without it.

import { followEvents, poll } from "./progress";
import { Chart } from "./chart";
import { live } from "./live";
import { unfoldForPrint } from "./print";
import { copyButton, printButton } from "./buttons";
import { view } from "./tree";

function each(selector: string, work: (found: HTMLElement) => void): void {
  document.querySelectorAll<HTMLElement>(selector).forEach(work);
}

each("[data-events]", followEvents);
each("[data-poll]", poll);
each("[data-live]", live);
each("details[data-chart]", (box) => new Chart(box));
each("[data-print]", printButton);
each("[data-copy]", copyButton);
each("#outline", view);
unfoldForPrint();
