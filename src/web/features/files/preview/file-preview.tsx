import type { ComponentProps } from 'react';
import { dialogOnDemand } from '#web/ui/overlays/overlays-on-demand.tsx';

const PreviewOverlay = dialogOnDemand(() => import('./preview-overlay.tsx'), 'PreviewOverlay');

/** Shows a file full screen, with the viewer of PDFs. Its scripts are loaded with the first file. */
export function FilePreview(props: ComponentProps<typeof PreviewOverlay>) {
	return props.files.some(({ id }) => id === props.shownId) && <PreviewOverlay {...props} />;
}
