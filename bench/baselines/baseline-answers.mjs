/** How a bare server keeps what it writes: the product must keep it as well. */
export function readDurability(database) {
	return {
		journal: database.prepare('pragma journal_mode').get().journal_mode,
		synchronous: database.prepare('pragma synchronous').get().synchronous,
	};
}

/** An answer of a bare server, with the headers that the product gives. */
export function send(response, status, body) {
	const text = JSON.stringify(body);
	response.writeHead(status, {
		'content-type': 'application/json; charset=utf-8',
		'content-length': Buffer.byteLength(text),
		'cache-control': 'no-store',
	});
	response.end(text);
}
