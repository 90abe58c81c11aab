/** Lets the videos play in their place: a press puts the player where the poster's button was. */
export function playVideosInPlace(): void {
	for (const link of document.querySelectorAll<HTMLAnchorElement>('.video-play')) {
		link.role = 'button';
		link.addEventListener('keydown', (event) => {
			if (event.key !== ' ') return;
			event.preventDefault();
			link.click();
		});
		link.addEventListener('click', (event) => {
			const parts = link.parentElement?.querySelector('template')?.content.cloneNode(true);
			if (event.metaKey || event.ctrlKey || event.shiftKey || !(parts instanceof DocumentFragment)) return;
			event.preventDefault();
			replaceWithPlayer(link, parts);
		});
	}
}

function replaceWithPlayer(link: HTMLAnchorElement, parts: DocumentFragment): void {
	const video = parts.querySelector('video');
	const loading = parts.querySelector<HTMLElement>('.video-loading');
	const failed = parts.querySelector<HTMLElement>('.video-failed');
	const again = failed?.querySelector('button');
	if (!video || !loading || !failed || !again) return;
	const show = (isLoading: boolean, isFailed: boolean) => {
		loading.hidden = !isLoading;
		failed.hidden = !isFailed;
		video.hidden = isFailed;
	};
	const start = () => {
		show(true, false);
		// A browser that does not want to start by itself leaves that to its own button; a fault is told by its event.
		video.play().catch(() => video.error ?? show(false, false));
		video.focus();
	};
	video.addEventListener('playing', () => show(false, false));
	video.addEventListener('play', () => {
		for (const other of document.querySelectorAll('video')) if (other !== video) other.pause();
	});
	video.addEventListener('error', () => {
		show(false, true);
		again.focus();
	});
	again.addEventListener('click', () => {
		video.load();
		start();
	});
	link.replaceWith(parts);
	start();
}
