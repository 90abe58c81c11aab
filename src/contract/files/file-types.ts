/** The specification's lists of file name extensions (section 9). `.ogg` is also in the audio list; see `previewOf`. */
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

/** Returns the lower-case extension of a name without the dot; '' without one. */
export function extensionOf(name: string): string {
	const dot = name.lastIndexOf('.');
	return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

function listByExtension<Key extends string>(lists: Record<Key, readonly string[]>): Map<string, Key> {
	const entries = Object.entries<readonly string[]>(lists) as Array<[Key, readonly string[]]>;
	return new Map(entries.flatMap(([key, extensions]) => extensions.map((extension) => [extension, key] as const)));
}

const previewByExtension = listByExtension(previewExtensions);
const filterByExtension = listByExtension(filterExtensions);

/** Returns the preview that the name alone suggests; null when the file is offered only as a download. */
export function previewKindByName(name: string): PreviewKind | null {
	return previewByExtension.get(extensionOf(name)) ?? null;
}

/** Returns the type filter other than 'all' that includes a name; '' if none does. No extension is in two lists. */
export function filterGroupOf(name: string): Exclude<FileFilter, 'all'> | '' {
	return filterByExtension.get(extensionOf(name)) ?? '';
}

/** Content types of containers that can hold audio or video. */
const audioOrVideoContainers = /^(?:audio|video)\/(?:mp4|x-m4[av]|quicktime|3gpp2?|webm|matroska)$/u;

/** Returns the preview; null if name and content disagree. For containers the name decides, for `.ogg` the content. */
export function previewOf(name: string, contentType: string | null): PreviewKind | null {
	const byName = previewKindByName(name);
	// SVG can run scripts, so it is never previewed as an image.
	if (byName === null || contentType === null || contentType === 'image/svg+xml') return null;
	const byContent = contentType === 'application/pdf' ? 'pdf' : contentType.split('/')[0];
	if (extensionOf(name) === 'ogg') return byContent === 'audio' || byContent === 'video' ? byContent : null;
	if ((byName === 'audio' || byName === 'video') && audioOrVideoContainers.test(contentType)) return byName;
	return byName === byContent ? byName : null;
}

/** Returns the content type of a previewed file: `audio/…` for audio in a container detected as video, or vice versa. */
export function previewContentType(preview: PreviewKind, contentType: string): string {
	const [kind, format] = contentType.split('/');
	if ((preview !== 'audio' && preview !== 'video') || kind === preview) return contentType;
	return `${preview}/${format === 'webm' || format === 'matroska' ? format : 'mp4'}`;
}
