import { locales } from '#contract/core/text.ts';
import {
	type Content,
	type ContentField,
	type ContentValue,
	contentFields,
	type Template,
} from '#contract/storefront/content-fields.ts';
import { m } from '#messages';
import type { Log } from '../../../platform/log.ts';
import type { FieldRow } from './content.queries.ts';
import buildYourEmpire from './templates/build-your-empire.json' with { type: 'json' };
import empty from './templates/empty.json' with { type: 'json' };

export const fieldNames = Object.keys(contentFields) as ContentField[];

export type ContentState = 'published' | 'draft';

/** JSON of the fields that differ from their default. */
export type StoredValues = ReadonlyMap<ContentField, string>;

const defaultTemplate: Template = 'build-your-empire';

/** `empty` names no book: the page shows the title, the price and the ways to pay. */
const templates = { empty, 'build-your-empire': { ...empty, ...buildYourEmpire } } as Record<Template, Content>;

/** Returns the content of a storefront of which the owner has changed nothing. */
export function defaultContent(template: Template): Content {
	return templates[template];
}

export function storedValueOf(row: FieldRow, state: ContentState): string | null {
	return state === 'draft' && row.has_draft === 1 ? row.draft : row.published;
}

export function storedValuesOf(rows: FieldRow[], state: ContentState): StoredValues {
	const values = rows.map((row) => [row.field, storedValueOf(row, state)] as const);
	return new Map(values.filter((entry): entry is readonly [ContentField, string] => entry[1] !== null));
}

/** Returns the default of every field; they depend on the stored template. */
export function defaultsFor(stored: StoredValues): Content {
	return { ...defaultContent(templateOf(stored)), template: defaultTemplate };
}

/**
 * Returns the value of every field: the stored one, or else the default of the template. Stored values that do not
 * conform to their schema, as after a change of the schema, are logged and replaced by the default.
 */
export function resolveContent(stored: StoredValues, log?: Log): Content {
	const content: Record<string, unknown> = { ...defaultsFor(stored) };
	for (const [field, json] of stored) {
		if (!Object.hasOwn(contentFields, field)) log?.warn({ field }, 'unknown field of the storefront content');
		else {
			const parsed = contentFields[field].safeParse(JSON.parse(json));
			if (parsed.success) content[field] = parsed.data;
			else log?.warn({ field, issues: parsed.error.issues }, 'invalid field of the storefront content');
		}
	}
	return content as Content;
}

/** Returns the content for an installation without a mail server: without the default texts that promise a mail. */
export function replaceMailPromises(content: Content): Content {
	const changed = structuredClone(content);
	const replacements = [
		['purchase.steps', 'text', m.landing_step_login_text_without_mail],
		['how.steps', 'title', m.landing_how_login_without_mail],
		['how.steps', 'text', m.landing_how_login_text_without_mail],
	] as const;
	for (const [field, key, message] of replacements)
		for (const locale of locales) {
			const promise = empty[field][2]?.[key][locale];
			const text = changed[field][2]?.[key];
			if (text !== undefined && text[locale] === promise) text[locale] = message({}, { locale });
		}
	return changed;
}

/** Returns the JSON to store for a value; null for a value that equals the default. */
export function toStoredValue<Field extends ContentField>(
	field: Field,
	value: ContentValue<Field> | null,
	defaults: Content,
): string | null {
	// `value` was parsed. Parsing the default gives its properties the same order.
	const isDefault = JSON.stringify(value) === JSON.stringify(contentFields[field].parse(defaults[field]));
	return value === null || isDefault ? null : JSON.stringify(value);
}

/** Returns the JSON of a published version: the template and all stored values. */
export function toVersionContent(stored: StoredValues): string {
	const values = [...stored].map(([field, json]) => [field, JSON.parse(json)] as const);
	return JSON.stringify({ template: templateOf(stored), ...Object.fromEntries(values) });
}

/** Reverses {@link toVersionContent}. */
export function fromVersionContent(json: string): StoredValues {
	const content = JSON.parse(json) as Partial<Record<ContentField, unknown>>;
	if (content.template === defaultTemplate) delete content.template;
	return new Map(
		Object.entries(content).map(([field, value]) => [field as ContentField, JSON.stringify(value)] as const),
	);
}

function templateOf(stored: StoredValues): Template {
	const parsed = contentFields.template.safeParse(JSON.parse(stored.get('template') ?? 'null'));
	return parsed.success ? parsed.data : defaultTemplate;
}
