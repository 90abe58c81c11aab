import { chatMessagesPerMinute } from '#contract/chat/chat.ts';
import type { FilesSettings } from '#contract/files/spaces.ts';
import type { MemberCaller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { scaledLimit } from '../../platform/auth/rate-limits/rate-limits.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import { formatMoment, formatStorage } from '../../platform/format.ts';
import { getBookAccess } from '../book/index.ts';
import { getFilesSettings } from '../files/index.ts';
import type { ConversationRow } from './chat.queries.ts';
import { searchKeyOf } from './search-excerpt.ts';

/** Minimum bytes that are counted for a message, because even a short message has a row and index entries. */
const messageMinBytes = 1024;
/** Bytes that a search key and its index take for each byte of the key. The measured maximum is 7.7 (Chinese). */
const bytesPerKeyByte = 10;
const minuteSeconds = 60;
const daySeconds = 24 * 3600;

export interface ChatAmount {
	fileCount: 0 | 1;
	/** For a text, the result of {@link textBytes}. */
	sizeBytes: number;
}

/** Returns the maximum bytes that a text uses in the database, together with its search key and the key's index. */
export function textBytes(text: string): number {
	return Buffer.byteLength(text) + bytesPerKeyByte * Buffer.byteLength(searchKeyOf(text));
}

/** The columns of a conversation that count what its member has sent in the current minute and day. */
type SentCounts = Pick<
	ConversationRow,
	'minute_resets_at' | 'minute_messages' | 'day_resets_at' | 'day_files' | 'day_bytes'
>;

interface DayLimits {
	files: number;
	bytes: number;
}

/** Returns the daily limits of a member with or without book access, scaled by RATE_LIMIT_FACTOR. */
export function dayLimitsOf(deps: Deps, settings: FilesSettings, hasAccess: boolean): DayLimits {
	const { chatFilesPerDay, chatBytesPerDay, chatFilesPerDayUnpaid, chatBytesPerDayUnpaid } = settings;
	const [files, bytes] = hasAccess
		? [chatFilesPerDay, chatBytesPerDay]
		: [chatFilesPerDayUnpaid, chatBytesPerDayUnpaid];
	// Zero means that the owner has forbidden files, but `scaledLimit` returns at least 1.
	return { files: files === 0 ? 0 : scaledLimit(deps, files), bytes: scaledLimit(deps, bytes) };
}

/**
 * Whether a window is still open. If a window ends later than a new one would, the clock was set back since its start,
 * and the window is treated as ended.
 */
function isOpen(resetsAt: string | null | undefined, now: string, seconds: number): boolean {
	const left = Date.parse(resetsAt ?? '') - Date.parse(now);
	return left > 0 && left <= seconds * 1000;
}

/** Returns the counts of the windows that are still open; zeros for a window that has ended. */
export function openCounts(conversation: SentCounts | undefined, now: string) {
	const isMinute = isOpen(conversation?.minute_resets_at, now, minuteSeconds);
	const isDay = isOpen(conversation?.day_resets_at, now, daySeconds);
	return {
		minuteMessages: isMinute ? (conversation?.minute_messages ?? 0) : 0,
		minuteResetsAt: isMinute ? (conversation?.minute_resets_at ?? null) : null,
		dayFiles: isDay ? (conversation?.day_files ?? 0) : 0,
		dayBytes: isDay ? (conversation?.day_bytes ?? 0) : 0,
		dayResetsAt: isDay ? (conversation?.day_resets_at ?? null) : null,
	};
}

export function isMinuteFull(deps: Deps, conversation: SentCounts | undefined): boolean {
	return openCounts(conversation, isoAt(deps.clock)).minuteMessages >= scaledLimit(deps, chatMessagesPerMinute);
}

/**
 * Checks whether a member may send another message in the current minute and day. Admins have no limits.
 * @param amount null for a message that was stored before and is sent again: only the minute's limit applies
 * @returns the columns of the conversation's row with this message counted; the caller writes them while the row is
 * locked
 * @throws AppError CHAT_MINUTE_LIMIT, CHAT_DAY_LIMIT, CHAT_DAY_LIMIT_UNPAID
 */
export async function countMessage(
	deps: Deps,
	db: Db,
	{ actor, locale }: MemberCaller,
	conversation: SentCounts | undefined,
	amount: ChatAmount | null,
): Promise<Partial<SentCounts>> {
	if (actor.role === 'admin') return {};
	const counts = openCounts(conversation, isoAt(deps.clock));
	const minute = {
		minute_messages: counts.minuteMessages + 1,
		minute_resets_at: counts.minuteResetsAt ?? isoAt(deps.clock, minuteSeconds),
	};
	if (isMinuteFull(deps, conversation)) {
		throw new AppError('CHAT_MINUTE_LIMIT', {
			params: { count: String(scaledLimit(deps, chatMessagesPerMinute)) },
			retryAfterSeconds: secondsUntil(deps, minute.minute_resets_at),
		});
	}
	if (amount === null) return minute;
	const { fileCount, sizeBytes } = amount;
	const next: SentCounts = {
		...minute,
		day_files: counts.dayFiles + fileCount,
		day_bytes: counts.dayBytes + Math.max(sizeBytes, messageMinBytes),
		day_resets_at: counts.dayResetsAt ?? isoAt(deps.clock, daySeconds),
	};
	const settings = await getFilesSettings(db);
	const exceeds = ({ files, bytes }: DayLimits) => (fileCount > 0 && next.day_files > files) || next.day_bytes > bytes;
	const [withAccess, without] = [dayLimitsOf(deps, settings, true), dayLimitsOf(deps, settings, false)];
	if (!exceeds(withAccess) && !exceeds(without)) return next;
	const hasAccess = (await getBookAccess(db, actor.userId)) === 'open';
	const limits = hasAccess ? withAccess : without;
	if (!exceeds(limits)) return next;
	throw new AppError(hasAccess ? 'CHAT_DAY_LIMIT' : 'CHAT_DAY_LIMIT_UNPAID', {
		params: {
			files: String(limits.files),
			size: formatStorage(limits.bytes, locale),
			time: formatMoment(next.day_resets_at ?? '', deps.config.TIME_ZONE, locale),
		},
		retryAfterSeconds: secondsUntil(deps, next.day_resets_at),
	});
}

function secondsUntil(deps: Deps, resetsAt: string | null): number {
	return Math.max(1, Math.ceil((Date.parse(resetsAt ?? '') - deps.clock.now().getTime()) / 1000));
}
