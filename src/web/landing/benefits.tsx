import type { ShownFilm } from '#contract/storefront/film-parts.ts';
import type { Locale } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { Film } from './films/film.tsx';
import { BookPoster } from './posters.tsx';

/** 'What Will You Gain?': five benefits with numerals, and the film of them. */
export function Benefits({ locale, film }: { locale: Locale; film: ShownFilm }) {
	const say = { locale };
	const benefits = [
		{ title: m.landing_gain_1_title({}, say), text: m.landing_gain_1_text({}, say) },
		{ title: m.landing_gain_2_title({}, say), text: m.landing_gain_2_text({}, say) },
		{ title: m.landing_gain_3_title({}, say), text: m.landing_gain_3_text({}, say) },
		{ title: m.landing_gain_4_title({}, say), text: m.landing_gain_4_text({}, say) },
		{ title: m.landing_gain_5_title({}, say), text: m.landing_gain_5_text({}, say) },
	];
	return (
		<section className="benefits laid-out-later" id="gain" aria-labelledby="gain-title">
			<div className="page benefits-columns">
				<div className="benefits-lead">
					<h2 id="gain-title">{m.landing_gain_title({}, say)}</h2>
					<p>{m.landing_gain_lead({}, say)}</p>
					<Film name="benefits" film={film} locale={locale}>
						<BookPoster />
					</Film>
				</div>
				<ol className="benefits-list">
					{benefits.map(({ title, text }) => (
						<li key={title}>
							<h3>{title}</h3>
							<p>{text}</p>
						</li>
					))}
				</ol>
			</div>
		</section>
	);
}
