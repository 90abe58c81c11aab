import { expect, test } from 'vitest';
import { contentFields, templates } from '#contract/storefront/content-fields.ts';
import { defaultContent } from './default-content.ts';

test.each(templates)('the default content of the template %s conforms to the fields', (template) => {
	const content = defaultContent(template);
	expect(content.template).toBe(template);
	for (const [field, schema] of Object.entries(contentFields))
		expect(schema.parse(content[field as keyof typeof content]), field).toEqual(content[field as keyof typeof content]);
});
