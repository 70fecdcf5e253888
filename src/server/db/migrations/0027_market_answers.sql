CREATE TABLE "market_answers" (
	"key" text PRIMARY KEY NOT NULL,
	"value" text,
	"version" bigint DEFAULT 0 NOT NULL,
	"failure" text,
	"good_until" timestamp with time zone DEFAULT now() NOT NULL,
	"wanted_at" timestamp with time zone,
	"fence" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "market_answers_old" ON "market_answers" USING btree ("good_until");--> statement-breakpoint
CREATE INDEX "market_answers_wanted" ON "market_answers" USING btree ("wanted_at") WHERE "market_answers"."wanted_at" is not null;