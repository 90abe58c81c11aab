import { languageNames } from '#contract/core/text.ts';
import type { ContentField } from '#contract/storefront/content-fields.ts';
import { m } from '#messages';
import { isEqual, isListOfObjects, isObject, type JsonObject } from '../draft/merge-values.ts';
import { drawingNames, templateNames, videoSourceNames } from '../editor/content-sections.ts';

export interface ChangedText {
	/** Where the text is within the field: `2 · Title · English`; '' for a field with one text. */
	label: string;
	before: string;
	after: string;
}

const maxLength = 90;
const pictureFields: readonly ContentField[] = ['icon', 'covers', 'page.socialImage'];

const partNames: Record<string, () => string> = {
	en: () => languageNames.en,
	hi: () => languageNames.hi,
	title: m.editor_item_title,
	text: m.editor_item_text,
	label: m.editor_item_label,
	shortLabel: m.editor_item_short_label,
	lead: m.editor_field_lead,
	note: m.editor_item_note,
	url: m.editor_item_url,
	style: m.editor_drawing_style,
	ground: m.editor_drawing_ground,
	ink: m.editor_drawing_ink,
	film: m.editor_video_file,
	captions: m.editor_video_captions_part,
};

const choiceNames: Record<string, () => string> = { ...templateNames, ...drawingNames, ...videoSourceNames };
const choiceKeys = ['template', 'style', 'source'];

/** Lists the texts of a field that differ, shortened. */
export function listChangedTexts(field: ContentField, before: unknown, after: unknown): ChangedText[] {
	const isPicture = pictureFields.includes(field);
	const format = (value: unknown, key: string) => (isPicture ? formatPicture(value) : formatValue(value, key));
	const compare = (one: unknown, other: unknown, path: readonly string[], isItem = false): ChangedText[] => {
		if (isEqual(one, other)) return [];
		if (isListOfObjects(one) && isListOfObjects(other)) return compareLists(one, other, path);
		if (isObject(one) && isObject(other) && !('blobId' in one)) {
			const keys = [...new Set([...Object.keys(other), ...Object.keys(one)])].filter((key) => key !== 'id');
			return keys.flatMap((key) => compare(one[key], other[key], [...path, key]));
		}
		const key = path.at(-1) ?? field;
		const names = path.flatMap((part) => (/^\d+$/u.test(part) ? part : (partNames[part]?.() ?? [])));
		if (isItem && one === undefined) names.push(m.editor_item_added());
		if (isItem && other === undefined) names.push(m.editor_item_deleted());
		return [{ label: names.join(' · '), before: format(one, key), after: format(other, key) }];
	};
	const compareLists = (one: JsonObject[], other: JsonObject[], path: readonly string[]): ChangedText[] => {
		const keyOf = (item: JsonObject, index: number) => (typeof item.id === 'string' ? item.id : String(index));
		const former = new Map(one.map((item, index) => [keyOf(item, index), item]));
		const present = new Map(other.map((item, index) => [keyOf(item, index), item]));
		const changed = other.flatMap((item, index) =>
			compare(former.get(keyOf(item, index)), item, [...path, String(index + 1)], true),
		);
		const removed = one.flatMap((item, index) =>
			present.has(keyOf(item, index)) ? [] : compare(item, undefined, [...path, String(index + 1)], true),
		);
		const isMoved = changed.length === 0 && removed.length === 0;
		return isMoved ? [{ label: '', before: listNames(one), after: listNames(other) }] : [...changed, ...removed];
	};
	return compare(before, after, []);
}

function listNames(items: JsonObject[]): string {
	return shorten(items.map(nameItem).join(', '));
}

/** Returns the first text of an item that is not empty. */
function nameItem(item: JsonObject): string {
	for (const value of [item.title, item.label, item.text, item.name, item]) {
		if (typeof value === 'string' && value !== '') return value;
		if (isObject(value)) {
			const text = [value.en, value.hi].find((candidate) => typeof candidate === 'string' && candidate !== '');
			if (typeof text === 'string') return text;
		}
	}
	return '';
}

function formatValue(value: unknown, key: string): string {
	if (value === undefined || value === null || value === '') return m.editor_value_empty();
	if (Array.isArray(value)) return value.map((code: 'en' | 'hi') => languageNames[code]).join(', ');
	if (isObject(value)) return shorten(nameItem(value)) || m.editor_value_empty();
	if (choiceKeys.includes(key)) return choiceNames[String(value)]?.() ?? String(value);
	return shorten(String(value));
}

function formatPicture(value: unknown): string {
	return value === undefined || value === null ? m.editor_value_no_picture() : m.editor_value_picture();
}

function shorten(text: string): string {
	const line = text.replace(/\s+/gu, ' ').trim();
	return line.length <= maxLength ? line : `${line.slice(0, maxLength).toWellFormed()}…`;
}
