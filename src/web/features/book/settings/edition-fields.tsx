import { Flex, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type EditionKey, editionKeys } from '#contract/book/book-settings.ts';
import { m } from '#messages';
import { FieldGroup, SelectField } from '#web/ui/forms/field.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import classes from './book-settings-dialog.module.css';
import type { BookSettingsFieldsProps } from './book-settings-fields.tsx';
import { type BookSettings, findEditionProblem } from './book-settings-form.ts';

const editionLabels: Record<EditionKey, () => string> = {
	'part-1-en': m.orders_edition_part_1_en,
	'part-1-hi': m.orders_edition_part_1_hi,
	'part-2-en': m.orders_edition_part_2_en,
	'part-2-hi': m.orders_edition_part_2_hi,
};

export function EditionFields(props: BookSettingsFieldsProps & { settings: BookSettings }) {
	const { settings, form, errors, theirs, onChange } = props;
	const files = settings.bookFiles.map(({ id, name }) => ({ value: id, label: name }));
	const remoteFileText = (key: EditionKey) => {
		if (theirs === undefined || theirs.editions[key] === form.editions[key]) return undefined;
		const name = files.find((file) => file.value === theirs.editions[key])?.label;
		return m.orders_now({ value: name ?? m.orders_edition_none() });
	};
	const remoteDownloadText = (key: EditionKey) => {
		if (theirs === undefined || theirs.downloads[key] === form.downloads[key]) return undefined;
		return m.orders_now({ value: theirs.downloads[key] ? m.orders_download_on() : m.orders_download_off() });
	};
	return (
		<FieldGroup legend={m.orders_editions()}>
			<p className={textClasses.note}>
				{m.orders_editions_hint()}{' '}
				<Link to="/user/$email" params={{ email: 'book' }} className={classes.link}>
					{m.orders_editions_link()}
				</Link>
			</p>
			<div className={classes.pair}>
				{editionKeys.map((key) => (
					<Stack key={key} gap={4}>
						<SelectField
							label={editionLabels[key]()}
							name={key}
							value={form.editions[key]}
							error={errors[`editions.${key}`] ?? findEditionProblem(settings, form, key)}
							description={remoteFileText(key)}
							onChange={(event) => onChange({ editions: { ...form.editions, [key]: event.currentTarget.value } })}
							data={[{ value: '', label: m.orders_edition_none() }, ...files]}
						/>
						<Flex component="label" align="center" gap={10} mih="var(--touch)" fz={13}>
							<input
								type="checkbox"
								aria-label={m.orders_edition_download_of({ edition: editionLabels[key]() })}
								checked={form.downloads[key]}
								onChange={({ currentTarget }) =>
									onChange({ downloads: { ...form.downloads, [key]: currentTarget.checked } })
								}
							/>
							<span>{[m.orders_edition_download(), remoteDownloadText(key)].filter(Boolean).join(' · ')}</span>
						</Flex>
					</Stack>
				))}
			</div>
		</FieldGroup>
	);
}
