import { createHash } from 'node:crypto';
import type { EditionKey } from '#contract/book/editions.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { SendableBytes } from '../../../platform/http/responses/send-bytes.ts';
import { splitGraphemes } from '../../../platform/pdf/watermark-fonts.ts';
import type { WatermarkLine } from '../../../platform/pdf/watermark-line.ts';
import { type BlobRow, findBlobs } from '../../../platform/storage/blobs.queries.ts';
import type { Insert } from '../../../platform/storage/spliced-bytes.ts';
import { findUserById } from '../../accounts/index.ts';
import { findLiveNodes } from '../../files/index.ts';
import { bookOrders, getBookAccess } from '../access/access.service.ts';
import { getEditionFiles } from '../editions/editions.service.ts';
import { type CopyRow, type CopyTarget, listCopies } from './watermark.queries.ts';

/** Version of the watermark's layout. Copies with another version are used until their replacements exist. */
const watermarkVersion = '2';

export type Original = BlobRow;

/** The copy of an edition that a member should have, and the stored row of their copy, which may be outdated. */
export interface CopyPlan {
	target: CopyTarget;
	original: Original;
	watermark: WatermarkLine;
	row: CopyRow | undefined;
}

export async function findOriginals(db: Db): Promise<Map<EditionKey, Original>> {
	const files = Object.entries(await getEditionFiles(db)) as Array<[EditionKey, string]>;
	const nodes = await findLiveNodes(
		db,
		files.map(([, nodeId]) => nodeId),
	);
	const blobs = await findBlobs(
		db,
		nodes.flatMap((node) => node.blob_id ?? []),
	);
	const blobOfNode = new Map(nodes.map(({ id, blob_id }) => [id, blobs.find((blob) => blob.id === blob_id)]));
	return new Map(
		files.flatMap(([key, nodeId]): Array<[EditionKey, Original]> => {
			const blob = blobOfNode.get(nodeId);
			return blob === undefined ? [] : [[key, blob]];
		}),
	);
}

/** Plans the copies that a member should have; none without book access. */
export async function planCopies(deps: Deps, userId: string): Promise<CopyPlan[]> {
	const { db } = deps;
	const user = await findUserById(db, userId);
	if (user === undefined || user.role !== 'user' || (await getBookAccess(db, userId)) !== 'open') return [];
	const order = await bookOrders().findFirstComplete(db, userId);
	const line = composeWatermarkLine({
		name: order?.name ?? user.name ?? '',
		email: user.email,
		code: order?.code ?? null,
	});
	const watermarkHash = createHash('sha256').update(`${watermarkVersion} ${line.name} · ${line.rest}`).digest('hex');
	const rows = new Map((await listCopies(db, userId)).map((row) => [row.edition, row]));
	return [...(await findOriginals(db))].map(([edition, original]) => ({
		target: { userId, edition, sourceId: original.id, watermarkHash },
		original,
		watermark: line,
		row: rows.get(edition),
	}));
}

/** Whether the copy must be made: no copy of this original with this watermark exists, and making it has not failed. */
export function isCopyDue({ target, row }: CopyPlan): boolean {
	if (row === undefined || row.wanted_source_id !== target.sourceId || row.wanted_watermark !== target.watermarkHash)
		return true;
	return row.state === 'waiting' || row.state === 'making';
}

/** Returns the copy that may be sent: a copy of this original, possibly with an earlier watermark of the user. */
export function findServableCopy({ target, row }: CopyPlan): (SendableBytes & { pageCount: number | null }) | null {
	if (row === undefined || row.source_id !== target.sourceId || row.blob_id === null) return null;
	const { key, ownBytes, base_blob_id: baseId, baseKey, baseBytes, inserts } = row;
	if (key === null || ownBytes === null) return null;
	const copy = { id: row.blob_id, content_type: 'application/pdf', pageCount: row.page_count };
	if (baseId === null) return { ...copy, storage_key: key, size_bytes: ownBytes };
	if (baseKey === null || baseBytes === null || inserts === null) return null;
	const spliced = { baseKey, baseBytes, partsKey: key, inserts: JSON.parse(inserts) as Insert[] };
	return { ...copy, spliced, size_bytes: baseBytes + ownBytes };
}

const nameLength = 48;
const domainLength = 40;
const shownLocalPartLength = 2;

/** Composes the watermark line: name, masked address, order code. Missing values are omitted. */
export function composeWatermarkLine(of: { name: string; email: string; code: string | null }): WatermarkLine {
	// A middle dot separates the parts of the line, so a name that contains one would look like two parts.
	const name = shorten(of.name.replaceAll('·', ' ').replace(/\s+/gu, ' ').trim(), nameLength);
	const code = of.code === null ? '' : ` · ${of.code}`;
	return { name, rest: `${maskEmail(of.email)}${code}` };
}

/** Masks an address: `as…@example.com`. Its owner recognises the result, but others cannot derive the address. */
function maskEmail(email: string): string {
	const at = email.lastIndexOf('@');
	const local = splitGraphemes(email.slice(0, at)).slice(0, shownLocalPartLength).join('');
	return `${local}…@${shorten(email.slice(at + 1), domainLength)}`;
}

function shorten(text: string, length: number): string {
	const graphemes = splitGraphemes(text);
	if (graphemes.length <= length) return text;
	const start = graphemes.slice(0, length - 1).join('');
	return `${start.trimEnd()}…`;
}
