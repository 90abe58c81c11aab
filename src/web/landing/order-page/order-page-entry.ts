/** Shows the picture that was chosen, before it is sent. The page works without: the browser's control names the file. */
for (const box of document.querySelectorAll<HTMLElement>('[data-preview]')) {
	const input = box.querySelector<HTMLInputElement>('input[type="file"]');
	const show = () => showPreview(box, input?.files?.[0]);
	input?.addEventListener('change', show);
	// A browser that comes back to the page may keep the choice.
	show();
}

function showPreview(box: HTMLElement, file: File | undefined): void {
	box.querySelector('.drop-box-preview')?.remove();
	if (file === undefined) return;
	const picture = document.createElement('img');
	const preview = document.createElement('span');
	preview.className = 'drop-box-preview';
	preview.append(picture);
	const address = URL.createObjectURL(file);
	picture.alt = box.dataset.preview ?? '';
	picture.onload = () => URL.revokeObjectURL(address);
	picture.onerror = () => {
		URL.revokeObjectURL(address);
		preview.remove();
	};
	picture.src = address;
	box.prepend(preview);
}
