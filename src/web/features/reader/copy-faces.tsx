import type { ReactNode } from 'react';
import type { ShelfEdition } from '#contract/reader/reader.ts';
import { m } from '#messages';
import { EmptyState } from '#web/ui/faces.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { Face, ToDashboard } from './reader-faces.tsx';

/** The reader's own copy is still being made, or cannot be; it changes by itself. */
export function CopyFace({ copy }: Pick<ShelfEdition, 'copy'>) {
	return (
		<Face>
			<CopyState copy={copy} action={<ToDashboard />} />
		</Face>
	);
}

function CopyState({ copy, action }: Pick<ShelfEdition, 'copy'> & { action: ReactNode }) {
	if (copy.state !== 'making') return <EmptyState text={m.reader_copy_failed()} action={action} />;
	return (
		<div role="status">
			<EmptyState text={m.reader_copy_making({ percent: copy.percent })} action={action} />
			<ProgressBar label={m.reader_copy_progress()} value={copy.percent / 100} />
		</div>
	);
}
