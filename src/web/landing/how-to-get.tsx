import type { ShownFilm } from '#contract/storefront/film-parts.ts';
import type { Locale } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { Film } from './films/film.tsx';
import { PaymentPoster } from './posters.tsx';

interface HowToGetProps {
	locale: Locale;
	/** The price to pay, as it is written. */
	price: string;
	film: ShownFilm;
}

/** 'How to Get': four steps, the last of which says to submit the form again. */
export function HowToGet({ locale, price, film }: HowToGetProps) {
	const say = { locale };
	const steps = [
		{ title: m.landing_how_1_title({ price }, say), text: m.landing_how_1_text({}, say) },
		{ title: m.landing_how_2_title({}, say), text: m.landing_how_2_text({}, say) },
		{ title: m.landing_how_3_title({}, say), text: m.landing_how_3_text({}, say) },
		{ title: m.landing_how_4_title({}, say), text: m.landing_how_4_text({}, say) },
	];
	return (
		<section className="how laid-out-later" aria-labelledby="how-title">
			<div className="page how-columns">
				<div>
					<h2 id="how-title">{m.landing_how_title({}, say)}</h2>
					<ol className="how-list">
						{steps.map(({ title, text }) => (
							<li key={title}>
								<h3>{title}</h3>
								<p>{text}</p>
							</li>
						))}
					</ol>
				</div>
				<Film name="how-to-get" film={film} locale={locale}>
					<PaymentPoster locale={locale} price={price} />
				</Film>
			</div>
		</section>
	);
}
