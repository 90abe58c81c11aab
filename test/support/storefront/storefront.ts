import { type DraftField, type ImageKind, storefrontImagePath } from '#contract/storefront/content.ts';
import type { ContentField, ContentValue } from '#contract/storefront/content-fields.ts';
import { type VideoPart, videoUploadPath } from '#contract/storefront/video-parts.ts';
import { type HttpClient, postFile } from '../app/http-client.ts';

export async function readDraft(admin: HttpClient): Promise<DraftField[]> {
	return (await admin.call('GET', '/api/storefront/draft')).json().fields;
}

export async function readField(admin: HttpClient, name: ContentField): Promise<DraftField> {
	const field = (await readDraft(admin)).find((other) => other.field === name);
	if (field === undefined) throw new Error(`The draft has no field ${name}.`);
	return field;
}

/** Saves a field of the draft. @param version the present one by default */
export async function saveField<Field extends ContentField>(
	admin: HttpClient,
	field: Field,
	value: ContentValue<Field> | null,
	version?: number,
) {
	const seen = version ?? (await readField(admin, field)).version;
	return admin.call('PUT', `/api/storefront/draft/${field}`, { value, version: seen });
}

/** Returns the changed fields of the draft with their versions, as `publish` and `discard` need them. */
export async function seenChanges(admin: HttpClient) {
	const changed = (await readDraft(admin)).filter(({ isChanged }) => isChanged);
	return { fields: changed.map(({ field, version }) => ({ field, version })) };
}

export async function publish(admin: HttpClient) {
	return admin.call('POST', '/api/storefront/publish', await seenChanges(admin));
}

/** Saves fields and publishes them. @throws Error if one of the calls fails */
export async function publishFields(
	admin: HttpClient,
	values: { [Field in ContentField]?: ContentValue<Field> | null },
): Promise<{ number: number }> {
	for (const [field, value] of Object.entries(values)) {
		const saved = await saveField(admin, field as ContentField, value as never);
		if (saved.statusCode !== 200) throw new Error(`${field}: ${saved.body}`);
	}
	const published = await publish(admin);
	if (published.statusCode !== 200) throw new Error(published.body);
	return published.json();
}

export function uploadPicture(admin: HttpClient, kind: ImageKind, bytes: Buffer, query = '') {
	return postFile(
		admin,
		`${storefrontImagePath}?kind=${kind}${query}`,
		'picture.jpg',
		bytes,
		'application/octet-stream',
	);
}

export async function uploadVideoPart(
	admin: HttpClient,
	part: VideoPart,
	bytes: Buffer,
	{ name = 'film.bin', version }: { name?: string; version?: number } = {},
) {
	const seen = version ?? (await readField(admin, 'videos.benefits')).version;
	return postFile(
		admin,
		`${videoUploadPath('benefits', part)}?version=${seen}`,
		name,
		bytes,
		'application/octet-stream',
	);
}
