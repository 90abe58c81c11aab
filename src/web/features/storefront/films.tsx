import { useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import { type FilmKey, type FilmPart, filmKeys, filmPagePath } from '#contract/storefront/film-parts.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { formatSize } from '#web/platform/format.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { SavedSettings } from '#web/ui/saved-settings.tsx';
import { Section } from '#web/ui/section.tsx';
import { FilmFile } from './film-file.tsx';
import { FilmTitle } from './film-title.tsx';
import { type Films, useFilmChanges, useFilms } from './films.api.ts';
import classes from './films.module.css';

const names = { benefits: m.films_benefits, 'how-to-get': m.films_how };
const languages = { en: m.landing_language_en, hi: m.landing_language_hi };

/** The two films of the landing page, each of which the owner may replace. */
export function FilmSections() {
	return (
		<SavedSettings query={useFilms()} failed={m.films_load_failed()} title={m.films_title()}>
			{(saved) => filmKeys.map((name) => <FilmSection key={name} name={name} saved={saved} />)}
		</SavedSettings>
	);
}

function FilmSection({ name, saved }: { name: FilmKey; saved: Films }) {
	const { upload, saveTitle, remove } = useFilmChanges();
	/** By part; a refused title by the contract's path. */
	const [faults, setFaults] = useState<Record<string, string>>({});
	const [isAsking, setAsking] = useState(false);
	const { film, captions, title } = saved.films[name];
	const { version } = saved;
	const isBusy = upload.isPending || saveTitle.isPending || remove.isPending;
	const isOwners = film !== null || captions.en !== null || captions.hi !== null || title.en !== '' || title.hi !== '';

	const choose = (part: FilmPart, file: File) => {
		const isFilm = part === 'film';
		if (file.size > (isFilm ? limits.filmMaxBytes : limits.captionsMaxBytes)) {
			setFaults({ [part]: isFilm ? m.error_film_too_large() : m.error_captions_too_large() });
			return;
		}
		setFaults({});
		upload.mutate({ film: name, part, version, file }, { onError: (error) => setFaults({ [part]: reasonOf(error) }) });
	};
	const takeOff = (part: FilmPart) => {
		setFaults({});
		remove.mutate({ film: name, part, version }, { onError: (error) => setFaults({ [part]: reasonOf(error) }) });
	};
	const shared = (part: FilmPart) => ({
		fault: faults[part] ?? '',
		isBusy,
		isUploading: upload.isPending && upload.variables.part === part,
		onChoose: (file: File) => choose(part, file),
	});

	return (
		<Section
			title={names[name]()}
			intro={m.films_intro()}
			aside={
				<a className={classes.see} href={filmPagePath(name)}>
					{m.films_watch()}
				</a>
			}
		>
			<div className={classes.fields}>
				<FilmFile
					{...shared('film')}
					label={m.films_file()}
					standing={film === null ? m.films_own() : toldFilm(film)}
					hint={m.films_file_hint()}
					choose={m.films_choose()}
					accept=".mp4,.webm,video/mp4,video/webm"
				/>
				{(['en', 'hi'] as const).map((language) => {
					const given = captions[language];
					const inLanguage = { language: languages[language]() };
					const part: FilmPart = `captions-${language}`;
					return (
						<FilmFile
							key={language}
							{...shared(part)}
							label={m.films_captions(inLanguage)}
							standing={given?.name ?? (film === null ? m.films_captions_own() : m.films_captions_none())}
							hint={m.films_captions_hint()}
							choose={m.films_captions_choose(inLanguage)}
							accept=".vtt,text/vtt"
							remove={
								given === null ? undefined : { label: m.films_captions_remove(inLanguage), run: () => takeOff(part) }
							}
						/>
					);
				})}
				<FilmTitle
					title={title}
					faults={faults}
					isBusy={isBusy}
					onSave={(wanted, onSaved) => {
						setFaults({});
						saveTitle.mutate(
							{ film: name, title: wanted, version },
							{
								onSuccess: onSaved,
								onError: (error) => {
									const { fields, message } = describeFailure(error);
									setFaults(Object.keys(fields).length > 0 ? fields : { '': message });
								},
							},
						);
					}}
				/>
				<ConfirmDialog
					isOpen={isAsking}
					onClose={() => setAsking(false)}
					onConfirm={() => {
						takeOff('film');
						setAsking(false);
					}}
					question={m.films_back_question()}
					detail={<p>{m.films_back_detail()}</p>}
					confirmLabel={m.films_back_confirm()}
					isBusy={isBusy}
				/>
				{isOwners && (
					<div>
						<Button disabled={isBusy} onClick={() => setAsking(true)}>
							{m.films_back()}
						</Button>
					</div>
				)}
			</div>
		</Section>
	);
}

/** The sentence beside the field: why this file, or that nothing can be saved now. */
function reasonOf(error: Error): string {
	const { fields, message } = describeFailure(error);
	return fields.file ?? message;
}

function toldFilm({ name, sizeBytes, seconds }: NonNullable<Films['films']['benefits']['film']>): string {
	const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
	return m.films_yours({ name, size: formatSize(sizeBytes), time });
}
