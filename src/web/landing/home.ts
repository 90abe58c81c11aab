/** What comes before an anchor of the landing page: nothing on that page itself. */
export function homeOf(path: string): string {
	return path === '/' ? '' : '/';
}
