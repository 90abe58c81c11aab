import { type CannedReply, namePlaceholder } from '#contract/chat/canned-replies.ts';

/** Replaces the placeholder with the recipient's name. Removes the placeholder if the name is unknown. */
export function fillReply(message: string, name: string | null): string {
	// A replacer function, because a name may contain a replacement pattern such as `$&`.
	if (name !== null) return message.replaceAll(namePlaceholder, () => name);
	return message.replaceAll(` ${namePlaceholder}`, '').replaceAll(namePlaceholder, '');
}

type SearchedReply = Pick<CannedReply, 'name' | 'message'> & { files: ReadonlyArray<{ name: string }> };

/** Returns the replies whose name, text and file names together contain every word of the search. */
export function findReplies<Reply extends SearchedReply>(replies: readonly Reply[], search: string): Reply[] {
	const words = search
		.toLowerCase()
		.split(/\s+/u)
		.filter((word) => word !== '');
	return replies.filter(({ name, message, files }) => {
		const all = [name, message, ...files.map((file) => file.name)].join('\n').toLowerCase();
		return words.every((word) => all.includes(word));
	});
}
