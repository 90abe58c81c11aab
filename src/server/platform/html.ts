const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text made safe between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/gu, (sign) => signs[sign] ?? sign);
}
