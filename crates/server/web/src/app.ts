// What pages can do beyond links and forms. Every page works without it.

import { followEvents, poll } from "./progress";
import { filter } from "./filter";
import { copyButton, printButton } from "./buttons";
import { view } from "./tree";

function each(selector: string, work: (found: HTMLElement) => void): void {
  document.querySelectorAll<HTMLElement>(selector).forEach(work);
}

each("[data-events]", followEvents);
each("[data-poll]", poll);
each("[data-filter]", filter);
each("[data-print]", printButton);
each("[data-copy]", copyButton);
each("#outline", view);
