import { Stack } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { TextField } from '#web/ui/forms/field.tsx';
import { toastWithUndo } from '#web/ui/overlays/toasts-with-button.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { FieldFrame, type FieldInput } from '../fields/field-frame.tsx';
import { LocalizedField } from '../fields/text-fields.tsx';
import classes from './sections.module.css';

export function FooterSection() {
	return (
		<>
			<LocalizedField field="footer.text" isMultiline />
			<FieldFrame field="links.social" hint={m.editor_social_links_hint()} isGroup>
				{(input) => <SocialLinks {...input} />}
			</FieldFrame>
			<FieldFrame field="links.chat" hint={m.editor_chat_hint()}>
				{({ inputProps, value, change }) => (
					<TextField
						{...inputProps}
						autoComplete="off"
						placeholder="/contact"
						value={value}
						onChange={({ currentTarget }) => change(currentTarget.value)}
					/>
				)}
			</FieldFrame>
			<p className={textClasses.note}>
				{m.editor_contact_hint()} <Link to="/admin/contact">{m.editor_contact_link()}</Link>
			</p>
			<LocalizedField field="footer.colophon" />
		</>
	);
}

function SocialLinks({ value: links, change, errors }: FieldInput<'links.social'>) {
	const remove = (link: (typeof links)[number], index: number) => {
		change(links.toSpliced(index, 1));
		toastWithUndo(m.editor_item_removed({ name: link.label || String(index + 1) }), () =>
			change((current) => current.toSpliced(index, 0, link)),
		);
	};
	return (
		<Stack gap={10}>
			{links.map((link, index) => {
				const number = index + 1;
				return (
					// biome-ignore lint/suspicious/noArrayIndexKey: a link is identified by its position.
					<div key={index} className={classes.link}>
						<TextField
							label={m.editor_link_name({ number })}
							autoComplete="off"
							value={link.label}
							error={errors[`${index}.label`]}
							onChange={({ currentTarget }) => change(links.with(index, { ...link, label: currentTarget.value }))}
						/>
						<TextField
							label={m.editor_link_address({ number })}
							type="url"
							autoComplete="off"
							value={link.url}
							error={errors[`${index}.url`]}
							onChange={({ currentTarget }) => change(links.with(index, { ...link, url: currentTarget.value }))}
						/>
						<IconButton
							label={m.editor_link_remove({ number })}
							icon={IconTrash}
							className={classes.linkButton}
							onClick={() => remove(link, index)}
						/>
					</div>
				);
			})}
			{links.length < limits.socialLinksMax && (
				<div>
					<Button size="small" icon={IconPlus} onClick={() => change([...links, { label: '', url: '' }])}>
						{m.editor_link_add()}
					</Button>
				</div>
			)}
		</Stack>
	);
}
