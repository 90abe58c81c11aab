import * as z from 'zod';
import { onSessionEnd } from '#web/platform/session-end.ts';

const kept = z.object({
	draft: z.string().default(''),
	texts: z.array(z.object({ clientId: z.string(), text: z.string(), writtenAt: z.string() })).default([]),
	attached: z.array(z.object({ fileId: z.string(), name: z.string(), sizeBytes: z.number() })).default([]),
});

/** What one has typed in a conversation: what stands in the field and goes along with it, and what was sent but is not there yet. */
export type KeptWords = z.infer<typeof kept>;

const prefix = 'chat-unsent:';
const nothing: KeptWords = { draft: '', texts: [], attached: [] };

/** What was kept over a reload of this tab, behind what a tab that was closed has left. */
export function readKept(key: string): KeptWords {
	const own = readFrom('session', key);
	const left = readFrom('local', key);
	if (isNothing(left)) return own;
	const isFree = !isTyped(own);
	const words = { ...(isFree ? left : own), texts: mergeTexts(left.texts, own.texts) };
	// From now on they are this tab's; what another was typing waits for a tab in which nobody is.
	keepIn('session', key, words);
	keepIn('local', key, isFree || left.draft === own.draft ? nothing : { ...left, texts: [] });
	return words;
}

/** A tab that is closed, or begun anew, leaves what it has not sent, and the draft, to the next one of the same person. */
export function leaveUnsent(): void {
	for (const key of listKeys('session')) {
		const own = readFrom('session', key);
		const left = readFrom('local', key);
		keepIn('local', key, { ...(isTyped(own) ? own : left), texts: mergeTexts(left.texts, own.texts) });
		keepIn('session', key, { ...own, texts: [] });
	}
}

function isTyped({ draft, attached }: KeptWords): boolean {
	return draft !== '' || attached.length > 0;
}

function isNothing(words: KeptWords): boolean {
	return !isTyped(words) && words.texts.length === 0;
}

/** Keeps it; a browser that keeps nothing costs nothing but that. */
export function keepWords(key: string, words: KeptWords): void {
	keepIn('session', key, words);
}

/** Under which keys something waits that was sent. */
export function listUnsentKeys(): string[] {
	const waits = (where: Where) => listKeys(where).filter((key) => readFrom(where, key).texts.length > 0);
	return [...new Set([...waits('local'), ...waits('session')])];
}

// An expired session is gone on with; after any other end another person may sit here.
onSessionEnd((reason) => {
	if (reason !== 'expiry') forgetKept();
});

function forgetKept(): void {
	for (const where of ['session', 'local'] as const) {
		for (const key of listKeys(where)) keepIn(where, key, nothing);
	}
}

/** Of this tab, or of the browser. */
type Where = 'session' | 'local';

const storageOf = (where: Where) => (where === 'session' ? sessionStorage : localStorage);

function listKeys(where: Where): string[] {
	try {
		return Object.keys(storageOf(where))
			.filter((key) => key.startsWith(prefix))
			.map((key) => key.slice(prefix.length));
	} catch {
		// Forbidden: then nothing was kept.
		return [];
	}
}

function readFrom(where: Where, key: string): KeptWords {
	try {
		const words = kept.safeParse(JSON.parse(storageOf(where).getItem(prefix + key) ?? ''));
		return words.success ? words.data : nothing;
	} catch {
		return nothing;
	}
}

function keepIn(where: Where, key: string, words: KeptWords): void {
	try {
		if (isNothing(words)) storageOf(where).removeItem(prefix + key);
		else storageOf(where).setItem(prefix + key, JSON.stringify(words));
	} catch {
		// Full, or forbidden.
	}
}

function mergeTexts(first: KeptWords['texts'], then: KeptWords['texts']): KeptWords['texts'] {
	const known = new Set(first.map(({ clientId }) => clientId));
	return [...first, ...then.filter(({ clientId }) => !known.has(clientId))];
}
