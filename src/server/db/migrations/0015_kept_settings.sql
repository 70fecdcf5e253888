CREATE TABLE "kept_settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
INSERT INTO "kept_settings" SELECT 'STRATEGY_INTERVAL', '15m' WHERE EXISTS (SELECT 1 FROM "bots");
