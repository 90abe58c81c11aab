import type { ReactNode } from 'react';
import { type FileFilter, filterGroupOf, previewKindByName } from '#contract/files/file-types.ts';

type Drawing = Exclude<FileFilter, 'all'> | 'other';

function drawingOf(name: string): Drawing {
	const group = filterGroupOf(name);
	if (group !== '') return group;
	const kind = previewKindByName(name);
	if (kind === 'image') return 'images';
	if (kind === 'video') return 'videos';
	return kind ?? 'other';
}

const iconStyle = { display: 'block', borderRadius: 'var(--radius-1)' };
const sheet = 'M10 6h9l4 4v16H10z';

const drawings: Record<Drawing, ReactNode> = {
	pdf: (
		<>
			<rect width="32" height="32" fill="#efe8d9" />
			<path d={sheet} fill="#fff" stroke="#d8cdb8" />
			<path d="M12 11h7" stroke="#cf4f2b" strokeWidth="2" />
			<path d="M12 15h9M12 18h9M12 21h6" stroke="#b9ab94" />
		</>
	),
	documents: (
		<>
			<rect width="32" height="32" fill="#dfe7f6" />
			<path d={sheet} fill="#fff" stroke="#c3d0ea" />
			<path d="M12 12h6M12 15h9M12 18h9M12 21h6" stroke="#5b80c7" />
		</>
	),
	images: (
		<>
			<rect width="32" height="32" fill="#f3c987" />
			<circle cx="21" cy="10" r="4" fill="#fbf0d8" />
			<path d="M0 24l10-10 8 8 5-5 9 8v7H0z" fill="#cf4f2b" />
			<path d="M0 32v-4l10-5 10 5 12-4v8z" fill="#7a2416" />
		</>
	),
	videos: (
		<>
			<rect width="32" height="32" fill="#1a2340" />
			<path d="M0 32l14-10 6 5 12-9v14z" fill="#33406b" />
			<circle cx="16" cy="15" r="7" fill="#fbf8f1" />
			<path d="M14 11.5v7l6-3.5z" fill="#16130f" />
		</>
	),
	audio: (
		<>
			<rect width="32" height="32" fill="#dde9df" />
			<path d="M8 14v4M12 11v10M16 7v18M20 11v10M24 14v4" stroke="#3d7a57" strokeWidth="2" strokeLinecap="round" />
		</>
	),
	compressed: (
		<>
			<rect width="32" height="32" fill="#e6dfd1" />
			<path d="M16 5v2m2 1v2m-2 1v2m2 1v2m-2 1v2" stroke="#6d6558" strokeWidth="2" />
			<rect x="13" y="19" width="7" height="8" rx="2" fill="#fbf8f1" stroke="#6d6558" />
		</>
	),
	other: (
		<>
			<rect width="32" height="32" fill="#ece6da" />
			<path d={sheet} fill="#fff" stroke="#d3c9b7" />
			<path d="M19 6v4h4" fill="none" stroke="#d3c9b7" />
		</>
	),
};

export function FileIcon({ name, size = 32 }: { name: string; size?: number }) {
	return (
		<svg style={iconStyle} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
			{drawings[drawingOf(name)]}
		</svg>
	);
}

export function FolderIcon() {
	return (
		<svg width="26" height="22" viewBox="0 0 26 22" aria-hidden="true" focusable="false">
			<path d="M0 3a2 2 0 0 1 2-2h6l3 3h12a2 2 0 0 1 2 2v4H0z" fill="var(--folder-back)" />
			<path d="M0 8h25v11a2 2 0 0 1-2 2H2a2 2 0 0 1-2-2z" fill="var(--folder-front)" />
		</svg>
	);
}
