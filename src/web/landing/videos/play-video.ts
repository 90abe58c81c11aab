/** When the play button is pressed, the player replaces the poster. */
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
	const retryButton = failed?.querySelector('button');
	if (!video || !loading || !failed || !retryButton) return;
	const show = (isLoading: boolean, isFailed: boolean) => {
		loading.hidden = !isLoading;
		failed.hidden = !isFailed;
		video.hidden = isFailed;
	};
	const start = () => {
		show(true, false);
		// If the browser blocks autoplay, the visitor uses the player's own button. Media errors are handled below.
		video.play().catch(() => video.error ?? show(false, false));
		video.focus();
	};
	video.addEventListener('playing', () => show(false, false));
	video.addEventListener('play', () => {
		for (const otherVideo of document.querySelectorAll('video')) if (otherVideo !== video) otherVideo.pause();
	});
	video.addEventListener('error', () => {
		show(false, true);
		retryButton.focus();
	});
	retryButton.addEventListener('click', () => {
		video.load();
		start();
	});
	link.replaceWith(parts);
	start();
}
