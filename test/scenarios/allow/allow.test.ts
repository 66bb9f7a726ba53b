// The scenarios of this folder.
import { playScenarios } from '../play.ts';

playScenarios(import.meta.dirname);
