/** Reads the durability settings of the baseline's connection, which must equal the product's. */
export function readDurability(database) {
	return {
		journal: database.prepare('pragma journal_mode').get().journal_mode,
		synchronous: database.prepare('pragma synchronous').get().synchronous,
	};
}

/** Sends a baseline's answer as JSON, with the headers that the product sends. */
export function send(response, status, body) {
	const text = JSON.stringify(body);
	response.writeHead(status, {
		'content-type': 'application/json; charset=utf-8',
		'content-length': Buffer.byteLength(text),
		'cache-control': 'no-store',
	});
	response.end(text);
}
