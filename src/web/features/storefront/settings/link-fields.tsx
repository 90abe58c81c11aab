import { Stack } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { TextField } from '#web/ui/forms/field.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import classes from '../storefront.module.css';
import { remoteValueText, type StorefrontFieldsProps } from './legal-fields.tsx';

export function LinkFields({ form, errors, remoteForm, onChange }: StorefrontFieldsProps) {
	const links = form.socialLinks;
	const linksText = (all: typeof links) => all.map(({ label, url }) => `${label} ${url}`).join(', ');
	const remoteText = remoteForm && remoteValueText(linksText(links), linksText(remoteForm.socialLinks));
	const change = (index: number, patch: Partial<(typeof links)[number]>) =>
		onChange({ socialLinks: links.map((link, at) => (at === index ? { ...link, ...patch } : link)) });
	return (
		<Stack gap={16}>
			{remoteText !== undefined && <p className={textClasses.note}>{remoteText}</p>}
			{links.map((link, index) => {
				const number = index + 1;
				return (
					// biome-ignore lint/suspicious/noArrayIndexKey: a link is identified by its position.
					<div key={index} className={classes.link}>
						<TextField
							label={m.storefront_link_label({ number })}
							autoComplete="off"
							value={link.label}
							error={errors[`socialLinks.${index}.label`]}
							onChange={({ currentTarget }) => change(index, { label: currentTarget.value })}
						/>
						<TextField
							label={m.storefront_link_url({ number })}
							type="url"
							autoComplete="off"
							value={link.url}
							error={errors[`socialLinks.${index}.url`]}
							onChange={({ currentTarget }) => change(index, { url: currentTarget.value })}
						/>
						<IconButton
							label={m.storefront_link_remove({ number })}
							icon={IconTrash}
							// The height of a field label, so that the button is aligned with the inputs.
							style={{ marginTop: 24 }}
							onClick={() => onChange({ socialLinks: links.filter((_link, at) => at !== index) })}
						/>
					</div>
				);
			})}
			{links.length < limits.socialLinksMax && (
				<div>
					<Button icon={IconPlus} onClick={() => onChange({ socialLinks: [...links, { label: '', url: '' }] })}>
						{m.storefront_link_add()}
					</Button>
				</div>
			)}
		</Stack>
	);
}
