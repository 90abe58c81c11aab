import { type Kysely, sql } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** Incompatible with the previous version, which shows the removed settings and would delete the stored pictures. */
export const isCompatibleWithPrevious = false;

type Texts = { en: string; hi: string };
type StoredFile = { blobId: string };
interface Video {
	film: StoredFile | null;
	captions: { en: StoredFile | null; hi: StoredFile | null };
	title: Texts;
}

/**
 * Adds the storefront's content: its fields, the published versions, and uploaded files. The links, legal texts and
 * videos of the settings become fields. What visitors see at this moment becomes the first published version.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
	await createTables(db);
	const now = new Date().toISOString();
	const storefront = await takeSetting(db, 'storefront');
	const films = await takeSetting(db, 'films');
	const fields = { ...linksAndTexts(storefront.value), ...videosOf(films.value) };
	for (const [field, value] of Object.entries(fields))
		await sql`insert into storefront_fields (field, published, has_draft, version, updated_at)
			values (${field}, ${JSON.stringify(value)}, 0, 1, ${now})`.execute(db);
	const content = JSON.stringify({ template: 'build-your-empire', ...fields });
	const publishedAt = [storefront.savedAt, films.savedAt].sort().at(-1) || now;
	await sql`insert into storefront_versions (number, content, changes, published_at)
		values (1, ${content}, ${JSON.stringify(Object.keys(fields))}, ${publishedAt})`.execute(db);
	await adoptVideoFiles(db, films.value, publishedAt);
}

async function createTables(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);
	await db.schema
		.createTable('storefront_fields')
		.addColumn('field', key, (c) => c.notNull().primaryKey())
		.addColumn('published', 'text')
		.addColumn('draft', 'text')
		.addColumn('has_draft', 'integer', (c) => c.notNull())
		.addColumn('version', 'integer', (c) => c.notNull())
		.addColumn('updated_by', key, (c) => c.references('users.id').onDelete('set null'))
		.addColumn('updated_at', key, (c) => c.notNull())
		.execute();
	await db.schema
		.createTable('storefront_versions')
		.addColumn('number', 'integer', (c) => c.notNull().primaryKey())
		.addColumn('content', 'text', (c) => c.notNull())
		.addColumn('changes', 'text', (c) => c.notNull())
		.addColumn('published_by', key, (c) => c.references('users.id').onDelete('set null'))
		.addColumn('published_at', key, (c) => c.notNull())
		.execute();
	await db.schema
		.createTable('storefront_files')
		.addColumn('id', key, (c) => c.notNull().primaryKey())
		.addColumn('kind', key, (c) => c.notNull())
		.addColumn('width', 'integer')
		.addColumn('height', 'integer')
		.addColumn('is_published', 'integer', (c) => c.notNull().defaultTo(0))
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();
	await db.schema
		.createTable('storefront_file_blobs')
		.addColumn('file_id', key, (c) => c.notNull().references('storefront_files.id').onDelete('cascade'))
		.addColumn('name', key, (c) => c.notNull())
		.addColumn('blob_id', key, (c) => c.notNull().references('blobs.id'))
		.addPrimaryKeyConstraint('storefront_file_blobs_key', ['file_id', 'name'])
		.execute();
	await db.schema.createIndex('storefront_file_blobs_blob').on('storefront_file_blobs').column('blob_id').execute();
}

async function takeSetting(db: Kysely<unknown>, key: string) {
	const { rows } = await sql<{ value: string; updated_at: string }>`delete from settings where key = ${key}
		returning value, updated_at`.execute(db);
	const value = JSON.parse(rows[0]?.value ?? '{}') as Record<string, unknown>;
	return { value, savedAt: rows[0]?.updated_at ?? '' };
}

/** The settings accepted some characters that the fields do not. */
const toSingleLine = (text: string) =>
	text
		.toWellFormed()
		.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ')
		.trim();

const isSet = (texts: Texts | undefined) => texts !== undefined && (texts.en !== '' || texts.hi !== '');

function linksAndTexts(stored: {
	socialLinks?: Array<{ label: string; url: string }>;
	chatUrl?: string;
	legal?: Partial<Record<'privacy' | 'terms' | 'refund', Texts>>;
}): Record<string, unknown> {
	const { socialLinks = [], chatUrl = '', legal = {} } = stored;
	const links = socialLinks.map(({ label, url }) => ({ label: toSingleLine(label), url: toSingleLine(url) }));
	const texts = Object.entries(legal).filter(([, both]) => isSet(both));
	return {
		...(links.length > 0 && { 'links.social': links }),
		...(chatUrl !== '' && { 'links.chat': toSingleLine(chatUrl) }),
		...Object.fromEntries(texts.map(([page, both]) => [`legal.${page}`, both])),
	};
}

function videosOf(stored: Record<string, unknown>): Record<string, unknown> {
	const own = Object.entries(stored as Record<string, Video>).filter(
		([, video]) => filesOf(video).length > 0 || isSet(video.title),
	);
	return Object.fromEntries(
		own.map(([name, { title, ...files }]) => [
			`videos.${name}`,
			{
				source: files.film === null ? 'default' : 'own',
				...files,
				title: { en: toSingleLine(title.en), hi: toSingleLine(title.hi) },
			},
		]),
	);
}

function filesOf({ film, captions }: Video): Array<[kind: 'video' | 'captions', id: string]> {
	return [
		...(film === null ? [] : [['video', film.blobId] as ['video', string]]),
		...[captions.en, captions.hi].flatMap((file) =>
			file === null ? [] : [['captions', file.blobId] as ['captions', string]],
		),
	];
}

/** The files keep their ids, because these are part of their addresses. */
async function adoptVideoFiles(db: Kysely<unknown>, films: Record<string, unknown>, now: string): Promise<void> {
	for (const [kind, id] of Object.values(films as Record<string, Video>).flatMap(filesOf)) {
		await sql`insert into storefront_files (id, kind, is_published, created_at)
			select id, ${kind}, 1, ${now} from blobs where id = ${id}`.execute(db);
		await sql`insert into storefront_file_blobs (file_id, name, blob_id)
			select id, 'file', id from blobs where id = ${id}`.execute(db);
	}
}
