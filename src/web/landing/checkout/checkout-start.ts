/** The id of the element that the browser's script takes over. */
export const checkoutIslandId = 'purchase';

/** How far before the block is seen its script is asked for, in heights of the window. */
const margin = '100%';
/** Long enough for the script on a slow line; after it a held form goes the browser's own way. */
const scriptTimeoutMs = 5000;

/** What takes the block over, in a file of its own. */
type HydrateCheckout = (island: HTMLElement, onLive: () => void) => void;

/**
 * Hydrates the purchase form when a visitor comes near it: until then it is a form that the browser can post without
 * script, and visitors who only look around do not load its script. What is typed and chosen meanwhile stays; a press
 * is held back and repeated after hydration. If the script does not load, the plain form remains.
 */
export function hydrateCheckoutWhenNeeded(island: HTMLElement, load: () => Promise<HydrateCheckout>): void {
	const deferred = deferPresses(island, start);
	let isStarted = false;
	function start() {
		if (isStarted) return;
		isStarted = true;
		watch.disconnect();
		load()
			.then((bringToLife) => {
				if (!deferred.isGivenUp()) bringToLife(island, deferred.repeat);
			})
			.catch((error: unknown) => {
				console.error(error);
				deferred.giveUp();
			});
	}
	const watch = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && start(), {
		rootMargin: `${margin} 0px`,
	});
	watch.observe(island);
	for (const kind of ['pointerdown', 'focusin', 'input']) island.addEventListener(kind, start, { once: true });
	// A press on a link to the block is a moment earlier than the block itself.
	for (const link of document.querySelectorAll('a[href="#book"], a[href="#submit-details"]'))
		link.addEventListener('pointerdown', start, { once: true });
	// Looks as it will then, so that nothing moves: a control that shows a chosen picture, buttons that copy.
	island.classList.add('is-live');
}

/** Keeps a press on a button of the block, the form's own before any other, and lets it happen later. */
function deferPresses(island: HTMLElement, onPress: () => void) {
	const controller = new AbortController();
	let press: (() => void) | null = null;
	let sent: HTMLFormElement | null = null;
	const release = () => {
		controller.abort();
		island.classList.remove('is-pending');
	};
	const giveUp = () => {
		if (controller.signal.aborted) return;
		release();
		press = null;
		island.classList.remove('is-live');
		sent?.submit();
	};
	const options = { capture: true, signal: controller.signal };
	island.addEventListener(
		'submit',
		(event) => {
			event.preventDefault();
			onPress();
			// A second press is the same wish.
			if (sent !== null || !(event.target instanceof HTMLFormElement)) return;
			const form = event.target;
			sent = form;
			press = () => form.requestSubmit(event.submitter);
			island.classList.add('is-pending');
			setTimeout(giveUp, scriptTimeoutMs);
		},
		options,
	);
	island.addEventListener(
		'click',
		(event) => {
			const button =
				event.target instanceof Element ? event.target.closest<HTMLElement>('button[type="button"]') : null;
			if (button === null) return;
			onPress();
			if (sent === null) press = () => button.click();
		},
		options,
	);
	return {
		repeat: () => {
			release();
			press?.();
		},
		giveUp,
		/** Whether the browser's own form has been left alone for good. */
		isGivenUp: () => controller.signal.aborted,
	};
}
