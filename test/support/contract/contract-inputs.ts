import fc from 'fast-check';

/** The used parts of a JSON Schema, which zod writes of an endpoint's input. */
export interface InputSchema {
	type?: string;
	enum?: unknown[];
	const?: unknown;
	anyOf?: InputSchema[];
	pattern?: string;
	minLength?: number;
	maxLength?: number;
	minimum?: number;
	maximum?: number;
	items?: InputSchema;
	prefixItems?: InputSchema[];
	minItems?: number;
	maxItems?: number;
	properties?: Record<string, InputSchema>;
	required?: string[];
}

/** A change of a correct request. Several changes are applied in turn. */
export type Change =
	/** Sets a field of the body, of the query or of the path; `undefined` removes it. */
	| { set: string; to: unknown }
	/** Replaces a parameter of the path by text that is sent as it is. */
	| { path: string }
	| { header: string; to: string }
	/** Replaces a part of the body's bytes. `at` and `length` are fractions of its length. */
	| { at: number; length: number; by: string }
	/** Replaces the whole body and its type. */
	| { body: string; type: string };

const secretLooking = 'AAAAAAAAAAAAAAAAAAAAAA';
const samples = ['', 'a', 'Asha Rao', 'own@example.com', 'new@example.com', 'guest', 'book', 'me', secretLooking];
const moreSamples = ['2026-02-29', '2026-01-31', '2026-01-01T00:00:00.000Z', '9823055512', 'https://example.com/x'];

const hostileTexts = [
	...['\0', 'a\0b', '\ud800', 'a\udfff', '\u202eabc', '\u200f\u2067x', '\ufeff', '\u2028', '\r\nSet-Cookie: a=b'],
	...['%', '\\', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'NaN', '-0', '1e999', '0x10'],
	...['٣', ' 1', "' OR 1=1 --", '"; DROP TABLE users; --', "1' UNION SELECT password_hash FROM users--", '%_%'],
	...['*"', 'NEAR(', '{a}:b', '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '{{7*7}}'],
	...['javascript:alert(1)', '../../../etc/passwd', '..\\..\\x', '/etc/passwd', '.', '..', 'con', '=cmd|calc'],
	...['http://127.0.0.1:1/', 'ß'.repeat(300), 'ह'.repeat(90), '👨‍👩‍👧‍👦'.repeat(30), 'a'.repeat(2001)],
	...['x'.repeat(65_536), '9'.repeat(400), '-'.repeat(10_001)],
];
const hostileNumbers = [-1, 0, -0, 0.1, 1e-7, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e21, 1e308, -1e308];
const pathParts = '%00 %2e%2e%2f ..%2f..%2fetc%2fpasswd %ff %c0%ae %ED%A0%80 %zz % a%2Fb %252e'.split(' ');

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`k${i}`, i])));
const bodies = [
	...['', ' ', 'null', '[]', '1', '"a"', 'true', '{', '{"a":1', '{"a":1}}', "{'a':1}", '{"a":NaN}', '\ufeff{}'],
	...['{}\0', '{"__proto__":{"role":"admin"}}', '{"constructor":{"prototype":{"role":"admin"}}}', '{"a":1,"a":2}'],
	...['{"id":1e999}', nested(5000), `{"a":${nested(5000)}}`, wide, `"${'x'.repeat(70_000)}"`, 'a=b&c=d'],
	...['--x\r\n\r\n--x--', '<a/>'],
];
const contentTypes = [
	...['application/json', 'application/json; charset=utf-16', 'APPLICATION/JSON', 'text/plain', 'text/json', '', 'a'],
	...['application/x-www-form-urlencoded', 'multipart/form-data', 'multipart/form-data; boundary=x', 'application/xml'],
	...['application/offset+octet-stream', 'application/vnd.folio.files', 'application/json, text/plain'],
];

const headers = {
	range: ['bytes=0-', 'bytes=5-1', 'bytes=-0', 'bytes=-5', 'bytes=0-0,2-3', 'bytes=99999999999999999999-', 'lines=1-2'],
	'if-none-match': ['*', '"a"', 'W/"a", "b"'],
	'if-range': ['*', 'Fri, 31 Feb 2026 99:00:00 GMT'],
	cookie: [
		...['folio_session=', 'folio_session=a; folio_session=b', 'folio_device=%00', '=;=;'],
		`folio_session=${'a'.repeat(9000)}`,
	],
	'accept-language': ['hi', 'xx;q=2,*;q=a', ','.repeat(2000)],
	accept: ['text/html', '*/*;q=a', ''],
	'user-agent': ['', 'a'.repeat(9000)],
	'x-forwarded-for': ['::1', 'a, b, c', '999.1.1.1'],
	origin: ['null', 'http://folio.test.example', 'http://folio.test', 'a'],
	'content-length': ['-1', '1e3', '99999999999999999999'],
	'content-encoding': ['gzip', 'a'],
	'upload-offset': ['1', '-1', '1.5', '99999999999999999999', 'a'],
	'upload-length': ['0', '-1', '1e3', '99999999999999999999', 'a'],
	'upload-metadata': ['', 'owner', 'owner YQ==,owner Yg==', 'owner =,path %,filename', 'filename AAAA', ','],
	'upload-defer-length': ['1', '2'],
	'upload-concat': ['partial', 'final;/api/uploads/a'],
	'tus-resumable': ['0.2.2', ''],
	'x-http-method-override': ['DELETE', 'PATCH'],
};
/** Node.js sends and receives no other characters in headers. */
const headerText = fc.string({
	unit: fc
		.integer({ min: 32, max: 255 })
		.filter((code) => code !== 127)
		.map((code) => String.fromCharCode(code)),
	maxLength: 20,
});

/** Cursors are base64url of JSON. */
const cursors = fc.jsonValue({ maxDepth: 2 }).map((value) => Buffer.from(JSON.stringify(value)).toString('base64url'));

const hostileText = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary', maxLength: 20 }), cursors);
const hostileValue = fc.oneof(
	{ weight: 4, arbitrary: hostileText },
	{ weight: 2, arbitrary: fc.constantFrom(...hostileNumbers) },
	{ weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
	{ weight: 1, arbitrary: fc.constantFrom(nested(60), wide).map((text) => JSON.parse(text)) },
	{ weight: 1, arbitrary: fc.array(hostileText, { minLength: 1, maxLength: 3 }) },
);

/** Values that conform to the schema, except for zod's refinements, which a JSON Schema does not contain. */
function validValue(schema: InputSchema): fc.Arbitrary<unknown> {
	if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(validValue));
	if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
	if ('const' in schema) return fc.constant(schema.const);
	const { minimum: min, maximum: max, minLength = 0, maxLength = 100_000, minItems, maxItems = 1000 } = schema;
	switch (schema.type) {
		case 'string':
			if (schema.pattern !== undefined) return matching(schema.pattern);
			return fc.oneof(
				fc.constantFrom(
					...[...samples, ...moreSamples].filter((text) => text.length >= minLength && text.length <= maxLength),
				),
				fc
					.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 30) })
					.map((text) => text.slice(0, maxLength)),
				fc.constant('क'.repeat(Math.min(maxLength, 20_000))),
			);
		case 'integer':
			return fc.integer({ min: Math.max(min ?? -100, -(2 ** 31)), max: Math.min(max ?? 1000, 2 ** 31 - 1) });
		case 'number':
			return fc
				.integer({ min: Math.ceil(min ?? -100), max: Math.floor(max ?? 100_000) })
				.map((n) => (max === undefined ? n / 100 : n));
		case 'boolean':
			return fc.boolean();
		case 'null':
			return fc.constant(null);
		case 'array':
			if (schema.prefixItems !== undefined) return fc.tuple(...schema.prefixItems.map(validValue));
			return fc.array(validValue(schema.items ?? {}), { minLength: minItems ?? 0, maxLength: Math.min(maxItems, 4) });
		case 'object': {
			const fields = Object.fromEntries(
				Object.entries(schema.properties ?? {}).map(([name, of]) => [name, validValue(of)]),
			);
			return fc.record(fields, { requiredKeys: schema.required ?? [] });
		}
		default:
			return fc.jsonValue({ maxDepth: 3 });
	}
}

/** fast-check does not support all regular expressions. */
function matching(pattern: string): fc.Arbitrary<string> {
	try {
		return fc.stringMatching(new RegExp(pattern, 'u'));
	} catch {
		return fc.constantFrom(...samples, ...moreSamples);
	}
}

/** Values that differ from valid ones in one respect: absent, of another type, above or below a limit, no choice. */
function nearlyValidValue(schema: InputSchema): fc.Arbitrary<unknown> {
	const { maxLength, minimum, maximum, maxItems, items } = schema;
	const values: unknown[] = [undefined, null, 12, 1.5, 'text', true, [], {}, [[]], ''];
	if (maxLength !== undefined && maxLength < 100_000) values.push('a'.repeat(maxLength + 1));
	if (maximum !== undefined) values.push(maximum + 1);
	if (minimum !== undefined) values.push(minimum - 1);
	if (schema.enum !== undefined) values.push('WRONG', String(schema.enum[0]).toUpperCase(), `${schema.enum[0]} `);
	if (maxItems !== undefined) values.push(Array(maxItems + 1).fill(items?.type === 'string' ? secretLooking : {}));
	const inArray = items === undefined ? [] : [nearlyValidValue(items).map((value) => [value])];
	return fc.oneof(fc.constantFrom(...values), ...inArray);
}

/** The text in an extra field, which must not be stored. */
export const extraText = 'extra field that must not be stored';
const extraFields = 'role active price price_paise status sender viewed user_id isAdmin extra'.split(' ');

/** Changes of a correct request to an endpoint: valid, nearly valid and hostile ones. */
export function changesOf(schema: InputSchema, queryNames: readonly string[]): fc.Arbitrary<Change[]> {
	const variants = schema.anyOf ?? [schema];
	const fields = variants.flatMap(({ properties = {} }) => Object.entries(properties));
	const names = [...fields.map(([name]) => name), ...queryNames];
	const setting = (of: (schema: InputSchema) => fc.Arbitrary<unknown>) =>
		fields.map(([name, field]) => of(field).map((to): Change => ({ set: name, to })));
	const [valid, near] = [setting(validValue), setting(nearlyValidValue)];
	const hostile = names.map((name) => hostileValue.map((to): Change => ({ set: name, to })));
	const extra = fc.constantFrom(...extraFields).map((name): Change => ({ set: name, to: extraText }));
	const isKnown = (change: Change) => !('set' in change) || !names.includes(change.set) || change.to !== extraText;
	const path = fc.constantFrom(...pathParts).map((path): Change => ({ path }));
	const header = fc
		.constantFrom(...Object.entries(headers))
		.chain(([name, values]) =>
			fc.oneof(fc.constantFrom(...values), headerText).map((to): Change => ({ header: name, to })),
		);
	const fraction = fc.double({ min: 0, max: 1, noNaN: true });
	const bytes = fc.record({ at: fraction, length: fraction, by: fc.oneof(fc.constant(''), hostileText) });
	const body = fc.record({ body: fc.constantFrom(...bodies), type: fc.constantFrom(...contentTypes) });
	return fc.oneof(
		{
			weight: 3,
			arbitrary: valid.length === 0 ? fc.constant<Change[]>([]) : fc.array(fc.oneof(...valid), { maxLength: 3 }),
		},
		...(near.length === 0 ? [] : [{ weight: 4, arbitrary: fc.oneof(...near).map((change) => [change]) }]),
		...(hostile.length === 0
			? []
			: [{ weight: 4, arbitrary: fc.array(fc.oneof(...hostile), { minLength: 1, maxLength: 2 }) }]),
		{ weight: 1, arbitrary: extra.filter(isKnown).map((change) => [change]) },
		{ weight: 1, arbitrary: header.map((change) => [change]) },
		{ weight: 1, arbitrary: path.map((change) => [change]) },
		{ weight: 1, arbitrary: fc.oneof(bytes, body).map((change): Change[] => [change]) },
	);
}
