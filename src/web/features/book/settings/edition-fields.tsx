import { Link } from '@tanstack/react-router';
import type { EditionKey } from '#contract/book/book-settings.ts';
import { editionKeys } from '#contract/book/book-settings.ts';
import { m } from '#messages';
import { SelectField } from '#web/ui/forms/field.tsx';
import classes from './book-settings-dialog.module.css';
import type { BookSettingsFieldsProps } from './book-settings-fields.tsx';
import { type BookSettings, findEditionProblem } from './book-settings-form.ts';

const editionLabels: Record<EditionKey, () => string> = {
	'part-1-en': m.orders_edition_part_1_en,
	'part-1-hi': m.orders_edition_part_1_hi,
	'part-2-en': m.orders_edition_part_2_en,
	'part-2-hi': m.orders_edition_part_2_hi,
};

/**
 * Chooses the PDF in the book space for each of the four editions, shows its problems, and whether buyers may download
 * it.
 */
export function EditionFields({
	settings,
	form,
	errors,
	theirs,
	onChange,
}: BookSettingsFieldsProps & { settings: BookSettings }) {
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
		<fieldset className={classes.group}>
			<legend>{m.orders_editions()}</legend>
			<p className={classes.hint}>
				{m.orders_editions_hint()}{' '}
				<Link to="/user/$email" params={{ email: 'book' }} className={classes.link}>
					{m.orders_editions_link()}
				</Link>
			</p>
			<div className={classes.pair}>
				{editionKeys.map((key) => (
					<div key={key} className={classes.edition}>
						<SelectField
							label={editionLabels[key]()}
							name={key}
							value={form.editions[key]}
							error={errors[`editions.${key}`] ?? findEditionProblem(settings, form, key)}
							description={remoteFileText(key)}
							onChange={(event) => onChange({ editions: { ...form.editions, [key]: event.currentTarget.value } })}
							data={[{ value: '', label: m.orders_edition_none() }, ...files]}
						/>
						<label className={classes.choice}>
							<input
								type="checkbox"
								aria-label={m.orders_edition_download_of({ edition: editionLabels[key]() })}
								checked={form.downloads[key]}
								onChange={({ currentTarget }) =>
									onChange({ downloads: { ...form.downloads, [key]: currentTarget.checked } })
								}
							/>
							<span>{[m.orders_edition_download(), remoteDownloadText(key)].filter(Boolean).join(' · ')}</span>
						</label>
					</div>
				))}
			</div>
		</fieldset>
	);
}
