const inlineTags = 'a|abbr|b|em|i|s|small|span|strong|text';

/** Returns what a page says, line by line: its texts, and those of attributes that are read aloud or shown. */
export function visibleText(html: string): string {
	const body = html
		.replace(/<script\b[\s\S]*?<\/script>/gu, '')
		.replace(/<!--[\s\S]*?-->/gu, '')
		.replace(/<[^>]*\s(?:alt|aria-label|placeholder|content|label)="[^"]*"[^>]*>/gu, (tag) => {
			const texts = [...tag.matchAll(/\s(?:alt|aria-label|placeholder|content|label)="([^"]*)"/gu)];
			return `\n${texts.map(([, text]) => text).join('\n')}\n`;
		})
		.replace(new RegExp(`</?(?:${inlineTags})\\b[^>]*>`, 'gu'), '')
		.replace(/<[^>]+>/gu, '\n');
	const lines = body.split('\n').map((line) =>
		decode(line)
			.replace(/[ \t]+/gu, ' ')
			.trim(),
	);
	return lines.filter((line) => line !== '').join('\n');
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

function decode(text: string): string {
	return text.replace(/&([^;]+);/gu, (entity, name: string) => entities[name] ?? entity);
}
