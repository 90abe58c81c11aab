/**
 * The specification's type lists (section 9), applied literally to the ending of a name.
 * `.ogg` stands in both audio and video: previews decide it by content.
 */
const previewExtensions = {
	image: ['jpg', 'jpeg', 'png', 'gif', 'webp', 'bmp'],
	video: ['mp4', 'webm', 'ogg', 'mov', 'mkv'],
	audio: ['mp3', 'wav', 'm4a', 'flac', 'aac'],
	pdf: ['pdf'],
} as const;

export type PreviewKind = keyof typeof previewExtensions;

const filterExtensions = {
	pdf: ['pdf'],
	images: ['jpg', 'jpeg', 'png', 'gif', 'webp'],
	videos: ['mp4', 'mkv', 'webm', 'mov'],
	audio: ['mp3', 'wav', 'aac', 'ogg'],
	documents: ['doc', 'docx', 'txt'],
	compressed: ['zip', 'rar', '7z'],
} as const;

export const fileFilters = ['all', 'pdf', 'images', 'videos', 'audio', 'documents', 'compressed'] as const;
export type FileFilter = (typeof fileFilters)[number];

/** The lower-case ending of a name without its dot, '' when it has none. */
export function extensionOf(name: string): string {
	const dot = name.lastIndexOf('.');
	return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

/** How a file would be previewed by its name alone, or null: then it is offered for download. */
export function previewKindByName(name: string): PreviewKind | null {
	const extension = extensionOf(name);
	for (const [kind, extensions] of Object.entries(previewExtensions)) {
		if ((extensions as readonly string[]).includes(extension)) return kind as PreviewKind;
	}
	return null;
}

/** The type filter that lets a name through besides 'all', or '' when none does; an ending stands in one list at most. */
export function filterGroupOf(name: string): Exclude<FileFilter, 'all'> | '' {
	const extension = extensionOf(name);
	for (const [group, extensions] of Object.entries(filterExtensions)) {
		if ((extensions as readonly string[]).includes(extension)) return group as Exclude<FileFilter, 'all'>;
	}
	return '';
}

/** Types of containers that can hold a recording or a film. */
const audioOrVideoContainers = /^(?:audio|video)\/(?:mp4|x-m4[av]|quicktime|3gpp2?|webm|matroska)$/u;

/**
 * The preview that name and content agree on; `.ogg` is decided by content alone. Where the container can hold either,
 * the name says whether it is a recording or a film: phones write the same container for both.
 */
export function previewOf(name: string, contentType: string | null): PreviewKind | null {
	const byName = previewKindByName(name);
	// A drawing that can run scripts is no picture, whatever its name says.
	if (byName === null || contentType === null || contentType === 'image/svg+xml') return null;
	const byContent = contentType === 'application/pdf' ? 'pdf' : contentType.split('/')[0];
	if (extensionOf(name) === 'ogg') return byContent === 'audio' || byContent === 'video' ? byContent : null;
	if ((byName === 'audio' || byName === 'video') && audioOrVideoContainers.test(contentType)) return byName;
	return byName === byContent ? byName : null;
}

/** The type that a previewed file is sent as: `audio/…` for a recording in a container that is told as `video/…`. */
export function previewContentType(preview: PreviewKind, contentType: string): string {
	const [kind, format] = contentType.split('/');
	if ((preview !== 'audio' && preview !== 'video') || kind === preview) return contentType;
	return `${preview}/${format === 'webm' || format === 'matroska' ? format : 'mp4'}`;
}
