import { type CannedReply, namePlaceholder } from '#contract/chat/canned-replies.ts';

/** A reply's text for a person; whoever has no name is not called by one. */
export function fillReply(message: string, name: string | null): string {
	// By a function: a name may hold what replaceAll takes for a pattern.
	if (name !== null) return message.replaceAll(namePlaceholder, () => name);
	return message.replaceAll(` ${namePlaceholder}`, '').replaceAll(namePlaceholder, '');
}

/** Replies in whose name, text or files all the words are found. */
export function findReplies(replies: readonly CannedReply[], search: string): CannedReply[] {
	const words = search
		.toLowerCase()
		.split(/\s+/u)
		.filter((word) => word !== '');
	return replies.filter(({ name, message, files }) => {
		const all = [name, message, ...files.map((file) => file.name)].join('\n').toLowerCase();
		return words.every((word) => all.includes(word));
	});
}
