export const checkoutIslandId = 'purchase';

/** The script is loaded when the form is within this distance of the viewport; 100% is the viewport's height. */
const margin = '100%';
/** Time for loading the script after a submission. Afterwards the browser submits the form without the script. */
const scriptTimeoutMs = 5000;

type HydrateCheckout = (island: HTMLElement, onReady: () => void) => void;

/**
 * Hydrates the checkout form when the visitor scrolls near it. Repeats an earlier press on a button after hydration. If
 * the script does not load, the browser sends an already submitted form without it.
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
	// A pressed link scrolls to the form, so the script is loaded at once.
	for (const link of document.querySelectorAll('a[href="#book"], a[href="#submit-details"]'))
		link.addEventListener('pointerdown', start, { once: true });
	// Applies the styles for JavaScript before hydration, so that the layout does not shift.
	island.classList.add('is-live');
}

/** Defers the last press on a button. If a form was submitted, the submission is deferred instead. */
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
			// Further submissions are ignored.
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
		/** If true, the browser submits the form, and hydration must not start. */
		isGivenUp: () => controller.signal.aborted,
	};
}
