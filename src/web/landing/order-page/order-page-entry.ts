/** Previews the chosen image. Without JavaScript, the file input shows only the file name. */
for (const box of document.querySelectorAll<HTMLElement>('[data-preview]')) {
	const input = box.querySelector<HTMLInputElement>('input[type="file"]');
	const show = () => showPreview(box, input?.files?.[0]);
	input?.addEventListener('change', show);
	// After navigating back, the browser may restore the chosen file.
	show();
}

function showPreview(box: HTMLElement, file: File | undefined): void {
	box.querySelector('.drop-box-preview')?.remove();
	if (file === undefined) return;
	const picture = document.createElement('img');
	const preview = document.createElement('span');
	preview.className = 'drop-box-preview';
	preview.append(picture);
	const objectUrl = URL.createObjectURL(file);
	picture.alt = box.dataset.preview ?? '';
	picture.onload = () => URL.revokeObjectURL(objectUrl);
	picture.onerror = () => {
		URL.revokeObjectURL(objectUrl);
		preview.remove();
	};
	picture.src = objectUrl;
	box.prepend(preview);
}
