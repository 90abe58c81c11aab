const largestTurnDegrees = 4;

/** Turns the books a little towards a fine pointer; never under reduced motion. */
export function tiltBooks(): void {
	const stage = document.querySelector<HTMLElement>('.hero');
	const scene = document.querySelector<HTMLElement>('.books-scene');
	const isWanted =
		matchMedia('(hover: hover) and (pointer: fine)').matches && !matchMedia('(prefers-reduced-motion: reduce)').matches;
	if (!stage || !scene || !isWanted) return;
	stage.addEventListener('pointermove', (event) => {
		const box = scene.getBoundingClientRect();
		const towards = (event.clientX - box.left - box.width / 2) / window.innerWidth;
		scene.style.setProperty('--turn', `${(Math.max(-1, Math.min(1, towards * 2)) * largestTurnDegrees).toFixed(2)}deg`);
	});
	stage.addEventListener('pointerleave', () => scene.style.setProperty('--turn', '0deg'));
}
