import { checkContract } from '../../support/contract/check-contract.ts';

checkContract({ inputsPerRoute: 25, routesPerFixture: 60, seed: 1 });
