export const checkoutIslandId = 'purchase';

/** Distance between the viewport and the block at which the script is loaded; 100% is the viewport's height. */
const margin = '100%';
/** Long enough to load the script on a slow connection; afterwards the browser submits a deferred form itself. */
const scriptTimeoutMs = 5000;

type HydrateCheckout = (island: HTMLElement, onReady: () => void) => void;

/**
 * Hydrates the checkout form when a visitor scrolls near it, so that other visitors do not load its script. Earlier
 * input is kept; an earlier press on a button is deferred and repeated after hydration. If the script does not load,
 * the browser submits the form itself.
 */
export function hydrateCheckoutWhenNeeded(island: HTMLElement, load: () => Promise<HydrateCheckout>): void {
	const deferred = deferPresses(island, start);
	let isStarted = false;
	function start() {
		if (isStarted) return;
		isStarted = true;
		watch.disconnect();
		load()
			.then((hydrate) => {
				if (!deferred.isGivenUp()) hydrate(island, deferred.repeat);
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
	// Starts as soon as a link to the block is pressed, before the block is near the viewport.
	for (const link of document.querySelectorAll('a[href="#book"], a[href="#submit-details"]'))
		link.addEventListener('pointerdown', start, { once: true });
	// Shows copy buttons and the drop box as they look after hydration, so that nothing moves then.
	island.classList.add('is-live');
}

/** Defers the last press on a button of the block; a submission of the form takes precedence. */
function deferPresses(island: HTMLElement, onPress: () => void) {
	const controller = new AbortController();
	let press: (() => void) | null = null;
	let submittedForm: HTMLFormElement | null = null;
	const release = () => {
		controller.abort();
		island.classList.remove('is-pending');
	};
	const giveUp = () => {
		if (controller.signal.aborted) return;
		release();
		press = null;
		island.classList.remove('is-live');
		submittedForm?.submit();
	};
	const options = { capture: true, signal: controller.signal };
	island.addEventListener(
		'submit',
		(event) => {
			event.preventDefault();
			onPress();
			// Only the first submission is repeated.
			if (submittedForm !== null || !(event.target instanceof HTMLFormElement)) return;
			const form = event.target;
			submittedForm = form;
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
			if (submittedForm === null) press = () => button.click();
		},
		options,
	);
	return {
		repeat: () => {
			release();
			press?.();
		},
		giveUp,
		/** Whether the form stays with the browser, so that the block must not be hydrated any more. */
		isGivenUp: () => controller.signal.aborted,
	};
}
