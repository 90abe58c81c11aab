import { credentialScreens } from './credentials.mjs';
import { fileScreens } from './files.mjs';
import { memberScreens } from './member.mjs';
import { ownerScreens } from './owner.mjs';
import { sharingScreens } from './sharing.mjs';
import { signInScreens } from './sign-in.mjs';
import { storefrontScreens } from './storefront.mjs';
import { userScreens } from './users.mjs';

/**
 * One screenshot. `who`: an account of the demo; absent for a visitor. `act` brings the page into the state to be shown
 * and may return a function that undoes its changes. `isFullPage`: a full-page screenshot; `isTall`: in a window as high
 * as the page; `isAlwaysLight`: not in the dark theme; `isAlone`: in a separate browser context. `fails`: expected
 * statuses, which Chromium reports as errors. `holds`: addresses of calls that stay open while the screenshot is taken.
 * `t` returns the text of a message key in the screen's language.
 * @typedef {{ name: string, who?: string, path: string, isFullPage?: boolean, isTall?: boolean, isAlwaysLight?: boolean, isAlone?: boolean, fails?: number[], holds?: RegExp,
 *   act?: (page: import('@playwright/test').Page, t: (key: string, values?: object) => string) => Promise<void | (() => Promise<void>)> }} Screen
 */

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
