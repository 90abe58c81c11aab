/** The id of the element that the browser's script takes over. */
export const purchaseIslandId = 'purchase';

/** How far before the block is seen its script is asked for, in heights of the window. */
const margin = '100%';
/** Long enough for the script on a slow line; after it a held form goes the browser's own way. */
const patienceMs = 5000;

/** What takes the block over, in a file of its own. */
type BringToLife = (island: HTMLElement, onLive: () => void) => void;

/**
 * Brings the purchase block to life when somebody comes near it: until then it is a form that the browser alone can
 * post, and a visitor who only looks around pays nothing for its script. What is typed and chosen meanwhile stays where
 * it is; what is pressed is held and pressed again once the block stands. Where its script does not come, the browser's
 * own form remains.
 */
export function startPurchaseWhenWanted(island: HTMLElement, load: () => Promise<BringToLife>): void {
	const presses = holdPresses(island, start);
	let isStarted = false;
	function start() {
		if (isStarted) return;
		isStarted = true;
		watch.disconnect();
		load()
			.then((bringToLife) => {
				if (!presses.isGivenUp()) bringToLife(island, presses.repeat);
			})
			.catch((error: unknown) => {
				console.error(error);
				presses.giveUp();
			});
	}
	const watch = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && start(), {
		rootMargin: `${margin} 0px`,
	});
	watch.observe(island);
	for (const kind of ['pointerdown', 'focusin', 'input']) island.addEventListener(kind, start, { once: true });
	// A press on a link to the block is a moment earlier than the block itself.
	for (const link of document.querySelectorAll(`a[href="#book"], a[href="#${island.id}"]`))
		link.addEventListener('pointerdown', start, { once: true });
	// Looks as it will then, so that nothing moves: a control that shows a chosen picture, buttons that copy.
	island.classList.add('is-live');
}

/** Keeps the first press on a button of the block, and lets it happen later. */
function holdPresses(island: HTMLElement, onPress: () => void) {
	const holding = new AbortController();
	let press: { again(): void; plainly(): void } | null = null;
	const hold = (event: Event, held: typeof press) => {
		event.preventDefault();
		if (press === null) setTimeout(giveUp, patienceMs);
		press ??= held;
		island.classList.add('is-held');
		onPress();
	};
	const release = () => {
		holding.abort();
		island.classList.remove('is-held');
		const released = press;
		press = null;
		return released;
	};
	function giveUp() {
		if (holding.signal.aborted) return;
		island.classList.remove('is-live');
		release()?.plainly();
	}
	const options = { capture: true, signal: holding.signal };
	island.addEventListener(
		'submit',
		(event) => {
			const form = event.target as HTMLFormElement;
			hold(event, { again: () => form.requestSubmit(event.submitter), plainly: () => form.submit() });
		},
		options,
	);
	island.addEventListener(
		'click',
		(event) => {
			const button =
				event.target instanceof Element ? event.target.closest<HTMLElement>('button[type="button"]') : null;
			if (button) hold(event, { again: () => button.click(), plainly: () => {} });
		},
		options,
	);
	return {
		repeat: () => release()?.again(),
		giveUp,
		/** Whether the browser's own form has been left alone for good. */
		isGivenUp: () => holding.signal.aborted,
	};
}
