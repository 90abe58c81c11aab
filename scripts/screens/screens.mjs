import { credentialScreens } from './credentials.mjs';
import { fileScreens } from './files.mjs';
import { memberScreens } from './member.mjs';
import { ownerScreens } from './owner.mjs';
import { sharingScreens } from './sharing.mjs';
import { signInScreens } from './sign-in.mjs';
import { storefrontScreens } from './storefront.mjs';
import { userScreens } from './users.mjs';

/**
 * One picture. `who`: a sign-in of the demo, or nobody. `act` brings the page into the state to be seen and may give
 * back how to undo what it left behind. `isWhole`: the page beyond the window;
 * `isTall`: in a window as high as the page; `isAlone`: in a browser context of its own. `fails`: answers that this screen is about, which Chromium reports as errors. `holds`: addresses of calls that the screen waits for.
 * @typedef {{ name: string, who?: string, path: string, isWhole?: boolean, isTall?: boolean, isAlwaysLight?: boolean, isAlone?: boolean, fails?: number[], holds?: RegExp,
 *   act?: (page: import('@playwright/test').Page, say: (key: string, values?: object) => string, shot: object) => Promise<void | (() => Promise<void>)> }} Screen
 */

/** @returns {Screen[]} every built screen, with the demo's data; `links` are addresses, and a file, that only this run knows */
export function listScreens(links) {
	return [
		...storefrontScreens(links),
		...signInScreens(links),
		...credentialScreens,
		...memberScreens,
		...userScreens,
		...fileScreens,
		...ownerScreens(links),
		...sharingScreens,
	];
}
